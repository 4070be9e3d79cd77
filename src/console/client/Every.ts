import { signal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { session } from "./Api.ts"

/** Whether somebody can see the page: nothing is followed for nobody. */
export const isVisible = signal(document.visibilityState === "visible")

document.addEventListener("visibilitychange", () => {
  isVisible.value = document.visibilityState === "visible"
})

/**
 * Does this again and again, so many milliseconds apart, while the page can be seen, whoever looks at it; not at all where
 * `millis` is undefined.
 */
export const useTicks = (millis: number | undefined, work: () => void): void => {
  // What it does may be made anew each time something is shown; it is none the later for that.
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    if (millis === undefined) return undefined
    const timer = setInterval(() => {
      if (isVisible.peek()) latest.current()
    }, millis)
    return () => clearInterval(timer)
  }, [millis])
}

/** The same while somebody is signed in: nothing is asked for that would be refused. */
export const useEvery = (millis: number | undefined, work: () => void): void =>
  useTicks(millis, () => {
    if (session.peek() !== "closed") work()
  })
