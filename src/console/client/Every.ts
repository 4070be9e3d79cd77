import { useEffect } from "preact/hooks"

/** Does this again and again, so many milliseconds apart, while the page is looked at; not at all where it is undefined. */
export const useEvery = (millis: number | undefined, work: () => void): void => {
  useEffect(() => {
    if (millis === undefined) return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") work()
    }, millis)
    return () => clearInterval(timer)
  }, [millis, work])
}
