import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, FileSystem, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { OrphanedMailFiles } from "../../../src/membership/accounts/OrphanedMailFiles.ts"
import { MailId } from "../../../src/platform/mail/Mail.ts"
import { makeMailFiles } from "../../../src/platform/mail/MailFiles.ts"
import { AppLayer, foundClub, send } from "../../harness/App.ts"
import { makeStudent } from "../../harness/Makers.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"

const opened = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const root = yield* fs.makeTempDirectoryScoped()
  const files = yield* makeMailFiles(root)
  const { check } = yield* Effect.provide(OrphanedMailFiles, yield* Layer.build(OrphanedMailFiles.layerOf(root)))
  const keep = (about: string) =>
    files.keep({
      id: MailId.make(randomUUID()),
      recipient: "bia@example.com",
      message: new TextEncoder().encode("Oi"),
      at: DateTime.makeUnsafe(0),
      about
    })
  const club = yield* foundClub()
  const remove = ({ id }: { readonly id: string }) =>
    send("DELETE", `${club.path}/students/${id}`, { token: club.token })
  return { club, files, keep, check, remove }
})

const TestLayer = Layer.mergeAll(AppLayer, NodeServices.layer).pipe(Layer.provideMerge(SpansLayer))

layer(TestLayer)("Who checks for mails about people who are gone", (it) => {
  it.effect("finds them at once when somebody was removed, whoever that was", () =>
    Effect.scoped(Effect.gen(function*() {
      const { club, files, keep, check, remove } = yield* opened
      const students = yield* Effect.replicateEffect(makeStudent(club), 3)
      yield* Effect.forEach(students, ({ id }) => keep(id))
      for (const [n, student] of students.entries()) {
        yield* check
        yield* remove(student)
        yield* check
        assert.sameMembers(yield* files.about, students.slice(n + 1).map(({ id }) => id))
      }
    })))

  it.effect("finds what was on its way during the removal a moment later", () =>
    Effect.scoped(Effect.gen(function*() {
      const { club, files, keep, check, remove } = yield* opened
      const student = yield* makeStudent(club)
      yield* keep(student.id)
      yield* check
      yield* remove(student)
      for (let n = 0; n < 4; n++) {
        yield* check
        assert.deepStrictEqual(yield* files.about, [])
        yield* keep(student.id)
      }
    })))

  it.effect("finds those of sign-ups that are gone, and what was written too late, at the twelfth check", () =>
    Effect.scoped(Effect.gen(function*() {
      const { club, files, keep, check, remove } = yield* opened
      const student = yield* makeStudent(club)
      yield* keep(randomUUID())
      yield* remove(student)
      yield* check
      assert.deepStrictEqual(yield* files.about, [])
      yield* keep(randomUUID())
      yield* keep(student.id)
      yield* Effect.replicateEffect(check, 11, { discard: true })
      assert.lengthOf(yield* files.about, 2)
      yield* check
      assert.deepStrictEqual(yield* files.about, [])
    })))

  it.effect("asks nothing where no mail is a file, and one thing where nobody was removed", () =>
    Effect.scoped(Effect.gen(function*() {
      const { club, keep, check } = yield* opened
      assert.deepStrictEqual(yield* statements(check), [])
      yield* keep((yield* makeStudent(club)).id)
      assert.lengthOf(yield* statements(check), 2)
      const [again, ...others] = yield* statements(check)
      assert.include(again, "from student_erasures")
      assert.deepStrictEqual(others, [])
    })))
})
