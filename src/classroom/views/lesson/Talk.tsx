import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { query } from "../../../browser/client/Location.ts"
import { lazy } from "../../../browser/parts/lazy.tsx"
import type { OpenSource } from "../../club/Source.ts"
import { Ask } from "./ask/Ask.tsx"
import type { Lesson } from "./lesson.ts"

const Discussion = lazy(async () => ({ default: (await import("../../club/discussion/Discussion.tsx")).Discussion }))

/** In pixels: so far below the screen the comments are read. */
const ahead = 800

/** The assistant and the comments of a lesson, below it. Comments are read once somebody comes near them. */
export const Talk = ({ lesson: { public_id }, openSource }: {
  readonly lesson: Lesson
  /** Opens the place that the assistant cites. */
  readonly openSource: OpenSource
}) => {
  const isNear = useSignal(query.peek().get("comment") !== null)
  const comments = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isNear.peek() || comments.current === null) return undefined
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) isNear.value = true
    }, { rootMargin: `${ahead}px` })
    observer.observe(comments.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div class="lesson-talk">
      <Ask lesson={public_id} openSource={openSource} />
      <div ref={comments}>{isNear.value && <Discussion place={{ lesson: public_id }} />}</div>
    </div>
  )
}
