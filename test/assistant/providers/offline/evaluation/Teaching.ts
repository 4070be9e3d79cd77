import { Effect } from "effect"
import { MaterialChanges } from "../../../../../src/assistant/material/changes/MaterialChanges.ts"
import type { ClubId } from "../../../../../src/identity/ids/ClubId.ts"
import { makeBlock, makeCourse, makeLesson, makeModule } from "../../../../harness/Makers.ts"
import { pdfOf } from "../../../material/documents/PdfFile.ts"
import { indexAll, makeMedia, transcribe } from "../../../material/MaterialLayer.ts"
import type { TaughtLesson } from "./Taught.ts"

const blockOf = Effect.fnUntraced(function*(club: { readonly id: ClubId }, { body, kind, title }: TaughtLesson) {
  if (kind === "text") return { kind, body } as const
  if (kind === "document") {
    const media = yield* makeMedia(club, { title, pdf: pdfOf(body.split("\n\n")) })
    return { kind: "file", media_id: media.id } as const
  }
  const media = yield* makeMedia(club, { title })
  yield* transcribe(club, media, body)
  return { kind: "video", media_id: media.id } as const
})

/** A course with these lessons, live and already read. Answers the ids of the lessons by their keys. */
export const teach = Effect.fn("teach")(function*(
  club: { readonly id: ClubId },
  lessons: ReadonlyArray<TaughtLesson>
) {
  const module = yield* makeModule(club, yield* makeCourse(club))
  const made = yield* Effect.forEach(lessons, (lesson) =>
    Effect.gen(function*() {
      const row = yield* makeLesson(club, module, { title: lesson.title })
      yield* makeBlock(club, row, yield* blockOf(club, lesson))
      return { ...row, key: lesson.key }
    }))
  yield* MaterialChanges.use((changes) => changes.lessons(club.id, made.map(({ id }) => id)))
  yield* indexAll
  return made
})
