import { signal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { session } from "./Api.ts"

/** True if the page is visible. A hidden page follows nothing. */
export const isVisible = signal(document.visibilityState === "visible")

document.addEventListener("visibilitychange", () => {
  isVisible.value = document.visibilityState === "visible"
})

/** Runs `work` every `millis` milliseconds while the page is visible. Never runs if `millis` is undefined. */
export const useVisibleInterval = (millis: number | undefined, work: () => void): void => {
  // A render may bring a new `work`. The timer keeps its pace and calls the latest one.
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
export const useInterval = (millis: number | undefined, work: () => void): void =>
  useVisibleInterval(millis, () => {
    if (session.peek() !== "closed") work()
  })
