// One run of the program on the server (docs/serve.md, `/ws/job`): a WebSocket that closes when it is done, or to stop it.

import { socketAddress } from "./socket";

export interface JobRequest {
  command: string[];
  rules: string;
  name: string;
  files?: Record<string, string>;
}

export interface JobResult {
  status: number; // of the program: 0 yes, 1 no, 2 usage, 3 unreadable, 4 limit
  seconds: number;
  out: string;
  err: string;
  files: Record<string, string>; // that the command has written
}

export interface JobListener {
  queued?(place: number): void;
  progress?(words: string): void;
}

interface Frame {
  out?: string;
  err?: string;
  queued?: number;
  file?: string;
  text?: string;
  status?: number;
  seconds?: number;
  stopped?: string | null;
  error?: { code: string; message: string };
}

export class JobFailed extends Error {}
export class JobRefused extends JobFailed {} // by a server that is there
export class JobStopped extends Error {}

export interface Job {
  result: Promise<JobResult>;
  stop(): void;
}

// Names of files are letters, digits, `.`, `-` and `_`.
const safeName = (name: string): string => name.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^[.-]+/, "") || "game.kif";

export function startJob(request: JobRequest, listener: JobListener = {}): Job {
  const socket = new WebSocket(socketAddress("/ws/job"));
  let isStopped = false;
  const result = new Promise<JobResult>((resolve, reject) => {
    const sofar: JobResult = { status: 0, seconds: 0, out: "", err: "", files: {} };
    socket.onopen = () => socket.send(JSON.stringify({ ...request, name: safeName(request.name) }));
    socket.onmessage = (event: MessageEvent<string>) => {
      const frame = JSON.parse(event.data) as Frame;
      if (frame.error) return reject(new JobRefused(frame.error.message));
      take(frame, sofar, listener);
      if (frame.status !== undefined) resolve({ ...sofar, err: sofar.err + whyStopped(frame.stopped) });
    };
    socket.onclose = () => reject(isStopped ? new JobStopped("stopped") : new JobFailed("The server does not answer."));
  });
  const stop = (): void => {
    isStopped = true;
    socket.close();
  };
  return { result, stop };
}

function take(frame: Frame, sofar: JobResult, listener: JobListener): void {
  if (frame.out !== undefined) sofar.out += frame.out;
  if (frame.err !== undefined) sofar.err = withoutProgress(sofar.err + frame.err, listener);
  if (frame.file !== undefined) sofar.files[frame.file] = frame.text ?? "";
  if (frame.queued !== undefined) listener.queued?.(frame.queued);
  if (frame.status !== undefined) [sofar.status, sofar.seconds] = [frame.status, frame.seconds ?? 0];
}

// Lines of standard error that say how far the work is.
function withoutProgress(err: string, listener: JobListener): string {
  return err.replace(/^progress: (.*)\n/gm, (_, words: string) => {
    listener.progress?.(words);
    return "";
  });
}

const whyStopped = (stopped: string | null | undefined): string => (stopped ? `\nIt was stopped: ${stopped}.` : "");

export const runJob = (request: JobRequest): Promise<JobResult> => startJob(request).result;
