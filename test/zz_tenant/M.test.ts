import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeBlock, makeClub, makeCourse, makeLesson, makeModule } from "../support/Makers.ts"
import { indexAll, MaterialLayer, searchIn } from "../assistant/material/MaterialLayer.ts"
import { MaterialChanges } from "../../src/assistant/material/MaterialChanges.ts"
const SqlClientX = SqlClient
layer(MaterialLayer, { timeout: "60 seconds" })("material", (it) => {
  it.effect("M", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const course = yield* makeCourse(club)
      const module = yield* makeModule(club, course)
      const lesson = yield* makeLesson(club, module)
      yield* makeBlock(club, lesson, { kind: "text", body: "Ponha o primeiro dedo na segunda corda do violão. " + "a".repeat(5000) + " " + "\u0301".repeat(3000) + " ab" + "\u0301".repeat(9000)+ " 😀".repeat(3000) })
      yield* MaterialChanges.use((c) => c.lessons(club.id, [lesson.id]))
      yield* indexAll
      const sqlx = yield* SqlClientX.SqlClient
      console.log(yield* sqlx`select lesson_id, failures from material_queue`, (yield* sqlx`select length(body) from material_chunks`).length)
      for (
        const q of [
          "Como ab" + "\u0301".repeat(1500) + " dedo?",
          "dedo " + "\u0301".repeat(3000) + "corda",
          "dedo' | ! & ( ) \\ : * <-> corda'",
          "dedo:* corda:A \\' \\\\",
          "'''' dedo",
          "dedo\u200d\ufe0f corda \u202e",
          "ﬁ ǆ ß İ ı ſ dedo",
          "\u{1D400}\u{1D401} dedo ①② ½ corda",
          "a\u0300\u0301dedo ".repeat(300),
          "́́́",
          "\ud83d\ude00 dedo",
          Array.from({length: 500}, (_, n) => `palavra${n}`).join(" ") + " dedo",
          "x".repeat(4000) + " dedo",
          "İİİİ dedo ".repeat(30),
          "ab" + "\u20dd".repeat(1000) + " dedo",
        ]
      ) {
        const t = Date.now()
        const r = yield* Effect.exit(searchIn(club, lesson, q))
        console.log(JSON.stringify(q).slice(0, 50), r._tag, r._tag === "Success" ? r.value.length : String(r).slice(0, 600), Date.now() - t)
      }
    }), 120_000)
})
