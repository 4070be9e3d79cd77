import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  begun,
  type Draft,
  isTouched,
  only,
  rebased,
  saved,
  taken,
  theirs,
  touched,
  withText
} from "../../../src/browser/parts/Draft.ts"

const names = ["name", "slug", "days"] as const

const Text = Schema.Literals(["", "a", "b", "c"])
const Fields = Schema.Struct({ name: Text, slug: Text, days: Text })
const Edits = Schema.Array(Schema.Struct({ name: Schema.Literals(names), text: Text })).check(Schema.isMaxLength(4))

type Edit = (typeof Edits)["Type"][number]

const edited = (draft: Draft, edits: ReadonlyArray<Edit>) =>
  edits.reduce((known, { name, text }) => withText(known, name, text), draft)

describe("A form over what others may change", () => {
  it.prop("sends the fields that were changed, and no others", [Fields, Edits], ([fields, edits]) => {
    const draft = edited(begun(fields), edits)
    const entered = { ...fields, ...Object.fromEntries(edits.map(({ name, text }) => [name, text])) }
    const body = only(entered, (name) => isTouched(draft, name))
    assert.deepStrictEqual({ ...fields, ...body }, entered)
    for (const name of names) assert.strictEqual(name in body, fields[name] !== entered[name], name)
  })

  it.prop("follows others in fields that nobody touched", [Fields, Edits, Fields], ([fields, edits, now]) => {
    const draft = edited(begun(fields), edits)
    const next = rebased(draft, now)
    for (const name of names) {
      const isOwn = isTouched(draft, name)
      assert.strictEqual(next.entered[name], isOwn ? draft.entered[name] : now[name], name)
      const isContested = isOwn && fields[name] !== now[name] && draft.entered[name] !== now[name]
      assert.strictEqual(theirs(next, name), isContested ? now[name] : undefined, name)
    }
  })

  it.prop("loses nothing of two who save at once, whatever each has changed", [Fields, Edits, Edits], (
    [fields, own, others]
  ) => {
    const [mine, yours] = [edited(begun(fields), own), edited(begun(fields), others)]
    const after = (there: typeof fields, draft: Draft) => ({
      ...there,
      ...only(draft.entered, (name) => isTouched(draft, name))
    })
    const there = after(after(fields, yours), mine)
    for (const name of names) {
      const last = isTouched(mine, name) ? mine : yours
      assert.strictEqual(there[name], last.entered[name], name)
    }
  })

  it.prop("is changed no more after it was saved, but in what was entered meanwhile", [Fields, Edits, Edits], (
    [fields, edits, more]
  ) => {
    const draft = edited(begun(fields), edits)
    const after = saved(edited(draft, more), draft.entered)
    assert.deepStrictEqual(touched(saved(draft, draft.entered)), [])
    for (const name of touched(after)) assert.isTrue(more.some((edit) => edit.name === name), name)
    assert.deepStrictEqual(after.entered, edited(draft, more).entered)
  })

  it.prop("is what is there once it is read anew, where all of it was saved", [Fields, Edits, Fields], (
    [fields, edits, now]
  ) => {
    const draft = edited(begun(fields), edits)
    const next = rebased(saved(draft, draft.entered), now)
    assert.deepStrictEqual(next.entered, now)
    for (const name of names) assert.isUndefined(theirs(next, name))
  })

  it("shows what somebody else made of a field once that is taken, and says no more of it", () => {
    const draft = rebased(withText(begun({ name: "a", slug: "s" }), "name", "b"), { name: "c", slug: "s" })
    assert.strictEqual(theirs(draft, "name"), "c")
    const next = taken(draft, "name")
    assert.strictEqual(next.entered["name"], "c")
    assert.isUndefined(theirs(next, "name"))
    assert.deepStrictEqual(touched(next), [])
    assert.isUndefined(theirs(withText(next, "name", "d"), "name"))
  })

  it("goes on saying that somebody else changed a field while other fields change", () => {
    const draft = rebased(withText(begun({ name: "a", slug: "s" }), "name", "b"), { name: "c", slug: "s" })
    assert.strictEqual(theirs(rebased(draft, { name: "c", slug: "t" }), "name"), "c")
    assert.strictEqual(theirs(withText(draft, "slug", "u"), "name"), "c")
  })

  it("has nothing to say where both entered the same", () => {
    const draft = rebased(withText(begun({ name: "a" }), "name", "b"), { name: "b" })
    assert.isUndefined(theirs(draft, "name"))
    assert.deepStrictEqual(touched(draft), [])
  })
})
