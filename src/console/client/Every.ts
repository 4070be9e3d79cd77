import { useEffect, useRef } from "preact/hooks"

/** Does this again and again, so many milliseconds apart, while the page is looked at; not at all where it is undefined. */
export const useEvery = (millis: number | undefined, work: () => void): void => {
  // What it does may be made anew each time something is shown; it is none the later for that.
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    if (millis === undefined) return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") latest.current()
    }, millis)
    return () => clearInterval(timer)
  }, [millis])
}
