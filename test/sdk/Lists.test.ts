import { assert, describe, it } from "@effect/vitest"
import { TurmaError } from "../../src/sdk/index.ts"
import { answer, clubId, collected, failureOf, scripted } from "./Scripted.ts"

const page = (ids: ReadonlyArray<string>, next_cursor: string | null) =>
  answer(200, { data: ids.map((id) => ({ id })), next_cursor })

const three = [page(["1", "2"], "a"), page([], "b"), page(["3"], null)]

const idsOf = (items: ReadonlyArray<{ readonly id: string }>) => items.map(({ id }) => id)
const cursorsOf = (sent: ReadonlyArray<{ readonly url: string }>) =>
  sent.map(({ url }) => new URL(url).searchParams.get("cursor"))

describe("a list", () => {
  it("is its first page where it is awaited, asked for once", async () => {
    const { sent, turma } = scripted(three)
    const list = turma.students.list({ clubId, limit: 2 })
    const [{ data, next_cursor }] = await Promise.all([list, list, list.then(() => 1), list.finally(() => {})])
    assert.deepStrictEqual([idsOf(data), next_cursor], [["1", "2"], "a"])
    assert.strictEqual(sent.length, 1)
  })

  it("is all its items where it is iterated, empty pages skipped", async () => {
    const { sent, turma } = scripted(three)
    assert.deepStrictEqual(idsOf(await collected(turma.students.list({ clubId, limit: 2 }))), ["1", "2", "3"])
    assert.deepStrictEqual(cursorsOf(sent), [null, "a", "b"])
    assert.isTrue(sent.every(({ url }) => url.includes("limit=2")))
  })

  it("is all its pages", async () => {
    const { turma } = scripted(three)
    const pages = await collected(turma.GET("/v1/clubs/{clubId}/students", { path: { clubId } }).pages())
    assert.deepStrictEqual(pages.map(({ data }) => data.length), [2, 0, 1])
  })

  it("begins at the cursor that is given", async () => {
    const { sent, turma } = scripted(three)
    await collected(turma.students.list({ clubId, cursor: "here" }))
    assert.deepStrictEqual(cursorsOf(sent), ["here", "a", "b"])
  })

  it("asks for no page before it is wanted", async () => {
    const { sent, turma } = scripted(three)
    const list = turma.students.list({ clubId })
    assert.strictEqual(sent.length, 0)
    for await (const { id } of list) {
      if (id === "2") break
    }
    assert.strictEqual(sent.length, 1)
  })

  it("without a cursor is one page", async () => {
    const { sent, turma } = scripted([answer(200, { data: [{ id: "1" }, { id: "2" }] })])
    assert.deepStrictEqual(idsOf(await collected(turma.lessons.list({ clubId, moduleId: "1" }))), ["1", "2"])
    assert.strictEqual(sent.length, 1)
  })

  it("may have its items beside what is said of them all", async () => {
    const statement = (ids: ReadonlyArray<string>, next_cursor: string | null) =>
      answer(200, { data: { total: 3, entries: ids.map((id) => ({ id })) }, next_cursor })
    const { turma } = scripted([statement(["1"], "a"), statement(["2"], null)])
    const list = turma.gamification.statement({ clubId, studentId: "1" })
    assert.deepStrictEqual(idsOf(await collected(list)), ["1", "2"])
  })

  it.each([
    ["the cursor before", [page(["1"], "a"), page(["2"], "a")], 2],
    ["one long before", [page(["1"], "a"), page(["2"], "b"), page(["3"], "c"), page(["4"], "a")], 4]
  ])("that goes on with %s is refused", async (_, pages, asked) => {
    const { sent, turma } = scripted(pages)
    const failure = await failureOf(collected(turma.students.list({ clubId })))
    assert.strictEqual(failure instanceof TurmaError && failure.code, "cursor_repeated")
    assert.strictEqual(sent.length, asked)
  })

  it("that is none is refused", async () => {
    const { turma } = scripted([answer(200, { data: { id: "1" } })])
    const works = [turma.students.list({ clubId }), collected(turma.students.list({ clubId }))]
    for (const failure of await Promise.all(works.map(failureOf))) {
      assert.strictEqual(failure instanceof TurmaError && failure.code, "unexpected_answer")
    }
  })

  it("fails where a page does, and ends with its signal", async () => {
    const controller = new AbortController()
    const reason = new Error("enough")
    const { sent, turma } = scripted(three)
    const list = turma.students.list({ clubId }, { signal: controller.signal })
    const seen: Array<string> = []
    const failure = await failureOf((async () => {
      for await (const { id } of list) {
        seen.push(id)
        controller.abort(reason)
      }
    })())
    assert.deepStrictEqual([failure, seen, sent.length], [reason, ["1", "2"], 1])
  })
})
