import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, FileSystem } from "effect"
import { randomUUID } from "node:crypto"
import { MailId } from "../../../src/platform/mail/Mail.ts"
import { makeMailFiles } from "../../../src/platform/mail/MailFiles.ts"

/** A temporary folder, and functions for mails in it. */
const inFolder = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const root = yield* fs.makeTempDirectoryScoped()
  const files = yield* makeMailFiles(root)
  const keep = (recipient: string, about: string | null) =>
    files.keep({
      id: MailId.make(randomUUID()),
      recipient,
      message: new TextEncoder().encode(recipient),
      at: DateTime.makeUnsafe(0),
      about
    })
  const shown = Effect.map(
    fs.readDirectory(`${root}/mail`),
    (names) => names.filter((name) => name.endsWith(".eml")).toSorted()
  )
  const everything = Effect.map(fs.readDirectory(`${root}/mail`, { recursive: true }), (names) => names.toSorted())
  return { everything, files, fs, keep, root, shown }
})

const [bia, caio] = [randomUUID(), randomUUID()]
const time = "19700101T000000.000Z"

layer(NodeServices.layer, { excludeTestServices: true })("Files of mails", (it) => {
  it.effect("about somebody go together, whatever the address, and no others", () =>
    Effect.gen(function*() {
      const { everything, files, keep, shown } = yield* inFolder
      yield* keep("bia@example.com", bia)
      yield* keep("bia@example.com", bia)
      yield* keep("bia@old.example", bia)
      yield* keep("bia@example.com", caio)
      yield* keep("bia@example.com", null)
      assert.sameMembers(yield* files.about, [bia, caio])
      assert.lengthOf(yield* shown, 5)
      yield* files.forget(bia)
      assert.deepStrictEqual(yield* shown, [`${time}-bia@example.com-3.eml`, `${time}-bia@example.com-4.eml`])
      yield* files.forget(bia)
      yield* files.forget(caio)
      assert.deepStrictEqual(yield* everything, [".about", `${time}-bia@example.com-4.eml`])
    }))

  it.effect("go when a deletion that ended on the way is begun again, from wherever it was", () =>
    Effect.gen(function*() {
      const { files, fs, keep, root, shown } = yield* inFolder
      yield* keep("bia@example.com", bia)
      yield* keep("bia@old.example", bia)
      yield* fs.rename(`${root}/mail/.about/${bia}`, `${root}/mail/.about/~${bia}`)
      yield* fs.remove(`${root}/mail/${time}-bia@example.com.eml`)
      yield* keep("bia@new.example", bia)
      assert.deepStrictEqual(yield* files.about, [bia])
      yield* files.forget(bia)
      assert.deepStrictEqual(yield* shown, [])
      assert.deepStrictEqual(yield* files.about, [])
    }))

  it.effect("stay where only their name is that of somebody who is forgotten", () =>
    Effect.gen(function*() {
      const { files, fs, keep, root, shown } = yield* inFolder
      yield* keep("bia@example.com", caio)
      yield* fs.makeDirectory(`${root}/mail/.about/${bia}`)
      // As if the process had died before it removed this link.
      yield* fs.writeFileString(`${root}/mail/.about/${bia}/${time}-bia@example.com.eml`, "a draft")
      yield* files.forget(bia)
      assert.deepStrictEqual(yield* shown, [`${time}-bia@example.com.eml`])
    }))

  it.effect("leave no draft behind", () =>
    Effect.gen(function*() {
      const { everything, files, fs, keep, root } = yield* inFolder
      yield* keep("bia@example.com", bia)
      yield* fs.writeFileString(`${root}/mail/.about/${bia}/.some.tmp`, "a mail whose process died")
      yield* files.forget(bia)
      assert.deepStrictEqual(yield* everything, [".about"])
    }))
})
