import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { type StudentEraser, StudentErasers } from "../../../src/identity/erasure/StudentErasers.ts"
import { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { StudentId } from "../../../src/identity/ids/StudentId.ts"

const eraser = (name: string, turn?: "last" | "referred"): Effect.Effect<StudentEraser> =>
  Effect.succeed({ ...(turn === undefined ? {} : { turn }), erase: () => Effect.succeed({ [name]: 1 }) })

const person = {
  club_id: ClubId.make("018f0000-0000-7000-8000-000000000001"),
  student_id: StudentId.make("018f0000-0000-7000-8000-000000000002"),
  email: "ana@example.com"
}

it.effect("erasers come in the order of the features, then those of what is referred to, then the last", () =>
  Effect.gen(function*() {
    const erasers = yield* StudentErasers
    const counts = yield* Effect.forEach(erasers, ({ erase }) => erase(person))
    assert.deepStrictEqual(counts.flatMap((count) => Object.keys(count)), ["access", "posts", "files", "mails"])
  }).pipe(Effect.provide(StudentErasers.layer([
    eraser("mails", "last"),
    eraser("access"),
    eraser("files", "referred"),
    eraser("posts")
  ]))))
