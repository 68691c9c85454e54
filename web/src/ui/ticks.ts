// Draws a part anew from time to time, for clocks.

import { useEffect, useState } from "preact/hooks";

export function useTicks(milliseconds: number, also: () => void): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      also();
      tick((n) => n + 1);
    }, milliseconds);
    return () => clearInterval(timer);
  }, []);
}
