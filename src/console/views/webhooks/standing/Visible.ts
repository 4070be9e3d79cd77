import { signal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { session } from "../../../client/Api.ts"

/** Whether somebody can see the page: nothing is followed for nobody. */
export const isVisible = signal(document.visibilityState === "visible")

document.addEventListener("visibilitychange", () => {
  isVisible.value = document.visibilityState === "visible"
})

/** Does something again and again while the page can be seen; not at all while `millis` is undefined. */
export const useEvery = (millis: number | undefined, work: () => void): void => {
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    if (millis === undefined) return undefined
    const timer = setInterval(() => {
      if (isVisible.peek() && session.peek() !== "closed") latest.current()
    }, millis)
    return () => clearInterval(timer)
  }, [millis])
}
