import { assert, describe, it as test, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { excerptOf } from "../../../src/membership/notifications/excerptOf.ts"
import { AppLayer, at, listAt, outcome } from "../../harness/App.ts"
import { whereIs } from "../students/Whereabouts.ts"
import { listed, openNotifiedClub } from "./Notified.ts"

const lesson = { lesson_public_id: "respirar", comment_id: "018f0000-0000-7000-8000-000000000001" }

layer(AppLayer)("Notifications", (it) => {
  it.effect("are listed to their student, the newest first, with who did what and where it leads", () =>
    Effect.gen(function*() {
      const { ana, bia, notify, own, owner } = yield* openNotifiedClub
      yield* notify(
        { kind: "reply", actor: { student_id: bia.id }, text: "  Deite-se\n e respire ", target: lesson },
        { kind: "assignment_reviewed", actor: { user_id: owner.id }, text: null },
        { kind: "assistant_answer" }
      )
      const { json } = yield* own(ana)
      assert.deepStrictEqual(listed(json, "kind", "actor_name", "actor_role", "excerpt"), [
        ["assistant_answer", "Assistente", "assistant", "Deite-se."],
        ["assignment_reviewed", owner.name, "staff", null],
        ["reply", bia.name, "student", "Deite-se e respire"]
      ])
      const nowhere = { lesson_public_id: null, comment_id: null, post_id: null, conversation_id: null, live_id: null }
      assert.deepStrictEqual(at(json, "data", 2, "target"), { ...nowhere, ...lesson })
      assert.deepStrictEqual(listed((yield* own(bia)).json, "id"), [])
    }))

  it.effect("come in pages, of one state or of both", () =>
    Effect.gen(function*() {
      const { ana, notify, own, read } = yield* openNotifiedClub
      yield* notify(...["A", "B", "C"].map((title) => ({ title })))
      const first = yield* own(ana, "?limit=2")
      yield* read(ana, { ids: [at(first.json, "data", 1, "id")] })
      const second = yield* own(ana, `?limit=2&cursor=${at(first.json, "next_cursor")}`)
      assert.deepStrictEqual([first, second].map(({ json }) => listed(json, "title")), [[["C"], ["B"]], [["A"]]])
      assert.deepStrictEqual(listed((yield* own(ana, "?unread=true")).json, "title"), [["C"], ["A"]])
      assert.deepStrictEqual(listed((yield* own(ana, "?unread=false")).json, "title"), [["B"]])
    }))

  it.effect("are marked as read all at once, each once, by their own student alone", () =>
    Effect.gen(function*() {
      const { ana, bia, notify, own, read, settings } = yield* openNotifiedClub
      yield* notify({}, {})
      const ids = listAt((yield* own(ana)).json, "data").map((one) => at(one, "id"))
      assert.strictEqual((yield* read(bia, { ids })).status, 204)
      assert.deepStrictEqual(yield* settings(ana), { mail: "daily", unread_count: 2 })
      assert.strictEqual((yield* read(ana)).status, 204)
      assert.deepStrictEqual(yield* settings(ana), { mail: "daily", unread_count: 0 })
      const { json } = yield* own(ana)
      yield* read(ana, { ids })
      assert.deepStrictEqual((yield* own(ana)).json, json)
    }))

  it.effect("are counted up to 100 unread", () =>
    Effect.gen(function*() {
      const { ana, notify, settings } = yield* openNotifiedClub
      yield* notify(...Array.from({ length: 101 }, () => ({})))
      assert.deepStrictEqual(yield* settings(ana), { mail: "daily", unread_count: 100 })
    }))

  it.effect("keep the choice of mails that their student made", () =>
    Effect.gen(function*() {
      const { ana, choose, settings } = yield* openNotifiedClub
      for (const mail of ["never", "at_once", "daily"]) {
        assert.deepStrictEqual(at((yield* choose(ana, mail)).json, "data"), { mail, unread_count: 0 })
        assert.deepStrictEqual(yield* settings(ana), { mail, unread_count: 0 })
      }
      assert.deepStrictEqual(outcome(yield* choose(ana, "weekly")), [422, "validation_failed"])
    }))

  it.effect("about a live are one for each student, however often they are added", () =>
    Effect.gen(function*() {
      const { ana, bia, kinds, notify } = yield* openNotifiedClub
      const live = { kind: "live", target: { live_id: lesson.comment_id } } as const
      yield* notify(live)
      yield* notify(live, { ...live, student_id: bia.id })
      assert.deepStrictEqual([yield* kinds(ana), yield* kinds(bia)], [["live"], ["live"]])
    }))

  it.effect("about something that is gone are withdrawn, and those about a comment get its new words", () =>
    Effect.gen(function*() {
      const { ana, id, notifications, notify, own } = yield* openNotifiedClub
      yield* notify({ target: lesson }, { target: { post_id: lesson.comment_id } }, { title: "B" })
      yield* notifications.reword(id, lesson.comment_id, "Sente-se.")
      assert.deepStrictEqual(listed((yield* own(ana)).json, "excerpt"), [["Deite-se."], ["Deite-se."], ["Sente-se."]])
      yield* notifications.withdraw(id, { comment_id: lesson.comment_id })
      yield* notifications.withdraw(id, { post_id: lesson.comment_id })
      assert.deepStrictEqual(listed((yield* own(ana)).json, "title"), [["B"]])
    }))

  it.effect("go with a removed student, and so do those with the words of one", () =>
    Effect.gen(function*() {
      const { ana, bia, forget, kinds, notify } = yield* openNotifiedClub
      const word = "zwölfter"
      yield* notify(
        { text: word, actor: { student_id: bia.id } },
        { title: word, titled_by: bia.id },
        { student_id: bia.id, text: word },
        { kind: "live" }
      )
      yield* forget(bia)
      assert.deepStrictEqual(yield* whereIs(word), [])
      yield* notify({ student_id: bia.id, text: word }, { title: word, titled_by: bia.id }, { kind: "mention" })
      assert.deepStrictEqual(yield* whereIs(word), [])
      assert.deepStrictEqual(yield* kinds(ana), ["mention", "live"])
    }))
})

describe("An excerpt", () => {
  test.prop("is one line of at most 200 characters", [Schema.String], ([text]) => {
    const excerpt = excerptOf(text)
    assert.isTrue(excerpt === null || ([...excerpt].length <= 200 && excerpt.trim() === excerpt))
  })

  test("ends in an ellipsis if the text goes on", () => {
    assert.deepStrictEqual(["a".repeat(200), "a".repeat(201), " \n "].map(excerptOf), [
      "a".repeat(200),
      `${"a".repeat(199)}…`,
      null
    ])
  })
})
