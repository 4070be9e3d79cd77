import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, enrolledStudent, foundClub, listAt, send, tokenAs } from "../harness/App.ts"
import { withoutBrowser } from "../harness/Browser.ts"
import { makeBlock, makeEnrollment, makeLiveLesson } from "../harness/Makers.ts"
import { ConsoleAppLayer, look, visit } from "./Visit.ts"

const hostile = "<img src=x onerror=alert(1)> مرحبا 🎻"

type Club = Effect.Success<ReturnType<typeof foundClub>>

/** Submissions of two students for an assignment. */
const handedIn = Effect.fnUntraced(function*(club: Club) {
  const { delivery, lesson } = yield* makeLiveLesson(club)
  const block = yield* makeBlock(club, lesson, { kind: "assignment", body: "Grave-se." })
  yield* Effect.forEach([hostile, "Segunda tentativa"], (body) =>
    Effect.gen(function*() {
      const student = yield* enrolledStudent(club)
      yield* makeEnrollment(club, student, delivery)
      const answer = yield* send("POST", `${club.path}/classroom/assignments/${block.id}/submissions`, {
        token: student.token,
        body: { body }
      })
      assert.strictEqual(answer.status, 201, answer.text)
    }))
})

describe.skipIf(withoutBrowser)("Submissions in the console", () => {
  layer(ConsoleAppLayer, { excludeTestServices: true })("for an editor", (it) => {
    it.effect("are approved, and rejected with what the student reads", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* handedIn(club)
        const token = yield* tokenAs(club, "editor")
        const page = yield* visit(`/console/${club.organization_id}/content/submissions`, { token, width: 390 })
        const card = (text: string) => page.getByRole("listitem").filter({ hasText: text })
        yield* Effect.promise(() => card(hostile).waitFor())
        yield* look(page, "content-handed-in")
        yield* Effect.promise(async () => {
          await card(hostile).getByRole("button", { name: "Approve" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click()
          await card(hostile).getByText("Approved").waitFor()
          await card("Segunda").getByRole("button", { name: "Reject" }).click()
          await page.getByLabel("Feedback for the student").fill("Solte o ar mais devagar.")
          await page.getByRole("dialog").getByRole("button", { name: "Reject", exact: true }).click()
          await card("Segunda").getByText("Solte o ar mais devagar.").waitFor()
          await page.getByLabel("Show").selectOption("approved")
          await card("Segunda").waitFor({ state: "detached" })
          await card(hostile).waitFor()
        })
        const listed = yield* send("GET", `${club.path}/assignments/submissions`, { token })
        assert.deepStrictEqual(
          listAt(listed.json, "data").map((submission) => [at(submission, "status"), at(submission, "feedback")]),
          [["rejected", "Solte o ar mais devagar."], ["approved", null]]
        )
      }).pipe(Effect.scoped))
  })
})
