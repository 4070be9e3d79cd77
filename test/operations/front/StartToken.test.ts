import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { answerForStartToken, makeStartToken, startTokenSubject } from "../../../src/operations/front/StartToken.ts"
import { type Supervised, SupervisorSilent } from "../../../src/platform/processes/Supervisor.ts"

const supervisorWith = (ask: Supervised["ask"]): Supervised => ({
  isFirst: true,
  ready: Effect.void,
  onLeave: () => Effect.void,
  ask
})

/** A supervisor that keeps the token for any number of processes. */
const supervisor = () => {
  const answer = answerForStartToken()
  return supervisorWith((subject, question) => {
    assert.strictEqual(subject, startTokenSubject)
    return Effect.sync(() => Option.getOrThrow(answer(JSON.parse(JSON.stringify(question)))))
  })
}

const read = ({ token }: ReturnType<typeof makeStartToken>) => Effect.map(token, Option.getOrThrow)

describe("The token of a start", () => {
  it.effect("is the same in all processes of a command, and used up for all by the first that presents it", () =>
    Effect.gen(function*() {
      const shared = supervisor()
      const [one, two] = [makeStartToken(shared), makeStartToken(shared)]
      const token = yield* read(one)
      assert.strictEqual(yield* read(two), token)
      assert.isFalse(yield* one.use(`${token}A`))
      assert.isTrue(yield* two.use(token))
      assert.isFalse(yield* one.use(token))
      assert.isFalse(yield* two.use(token))
    }))

  it.effect("is another one of each process by itself, and of each command", () =>
    Effect.gen(function*() {
      const tokens = yield* Effect.forEach(
        [undefined, undefined, supervisor(), supervisor()],
        (each) => read(makeStartToken(each))
      )
      assert.lengthOf(new Set(tokens), 4)
      for (const token of tokens) assert.match(token, /^[\w-]{43}$/)
    }))

  it.effect("is unknown, and opens nothing, while the supervisor is silent", () =>
    Effect.gen(function*() {
      const { token, use } = makeStartToken(supervisorWith(() => Effect.fail(new SupervisorSilent())))
      assert.isTrue(Option.isNone(yield* token))
      assert.isFalse(yield* use("abc"))
    }))

  it("is asked for in what can be read, and nothing else is answered", () => {
    const answer = answerForStartToken()
    for (const asked of [{ type: "use" }, { type: "use", presented: 1 }, { type: "show" }, [], null, "read"]) {
      assert.isTrue(Option.isNone(answer(asked)))
    }
  })
})
