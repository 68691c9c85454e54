// Jobs that are under way, by what they are for; at most one for each.

import { JobStopped, startJob, type Job, type JobListener, type JobRequest, type JobResult } from "../net/job";

const jobs = new Map<string, Job>();

export async function startWork(key: string, request: JobRequest, listener: JobListener = {}): Promise<JobResult> {
  jobs.get(key)?.stop();
  const job = startJob(request, listener);
  jobs.set(key, job);
  try {
    return await job.result;
  } finally {
    if (jobs.get(key) === job) jobs.delete(key);
  }
}

export function stopWork(key: string): void {
  jobs.get(key)?.stop();
  jobs.delete(key);
}

export function stopAllWork(): void {
  for (const key of [...jobs.keys()]) stopWork(key);
}

export const isStopped = (error: unknown): boolean => error instanceof JobStopped;
