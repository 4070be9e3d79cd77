import { useEffect, useRef } from "preact/hooks"

/** Does something again and again while the page is looked at: what others may have changed is seen by itself. */
export const useEvery = (millis: number, work: () => void): void => {
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") latest.current()
    }, millis)
    return () => clearInterval(timer)
  }, [millis])
}
