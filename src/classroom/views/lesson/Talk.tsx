import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { query } from "../../../browser/client/Location.ts"
import { lazy } from "../../../browser/parts/lazy.tsx"
import type { OpenSource } from "../../club/Source.ts"
import type { Lesson } from "./lesson.ts"

const Ask = lazy(async () => ({ default: (await import("./ask/Ask.tsx")).Ask }))
const Discussion = lazy(async () => ({ default: (await import("../../club/discussion/Discussion.tsx")).Discussion }))

/** In pixels: so far below the screen they are loaded. */
const ahead = 800

/** The assistant and the comments of a lesson, below it. They come once somebody comes near them. */
export const Talk = ({ lesson: { public_id }, openSource }: {
  readonly lesson: Lesson
  /** Opens the place that the assistant cites. */
  readonly openSource: OpenSource
}) => {
  const isNear = useSignal(query.peek().get("comment") !== null)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isNear.peek() || place.current === null) return undefined
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) isNear.value = true
    }, { rootMargin: `${ahead}px` })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div class="lesson-talk" ref={place}>
      {isNear.value && (
        <>
          <Ask lesson={public_id} openSource={openSource} />
          <Discussion place={{ lesson: public_id }} />
        </>
      )}
    </div>
  )
}
