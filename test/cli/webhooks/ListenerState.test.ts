import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Option, Redacted } from "effect"
import { appendFileSync, statSync } from "node:fs"
import { openListenerState } from "../../../src/cli/webhooks/forward/ListenerState.ts"
import { OrganizationId } from "../../../src/identity/ids/ClubId.ts"
import type { ListenerResult } from "../../../src/webhooks/listener/Listener.ts"
import { EndpointId } from "../../../src/webhooks/model/EndpointId.ts"
import { WebhookDeliveryId } from "../../../src/webhooks/model/WebhookDeliveryId.ts"

const remote = {
  url: "https://turma.example",
  key: Redacted.make("token"),
  club_id: OrganizationId.make("6f0c1f1e-4b0a-4c6e-9d53-2f1f9b6a7e10")
}
const target = "http://127.0.0.1:8080/"
const listener_id = EndpointId.make("019d4860-0000-7000-8000-000000000001")
const secret = Redacted.make("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

const resultOf = (number: number): ListenerResult => ({
  delivery_id: WebhookDeliveryId.make(`019d4860-0000-7000-8000-${String(number).padStart(12, "0")}`),
  receipt: "0.schedule",
  status_code: 204,
  error: null,
  duration_ms: number
})

const placeForState = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return `${yield* fs.makeTempDirectoryScoped()}/deep/state.json`
})

const opened = (path: string, to = target) => openListenerState(remote, to, Option.some(path))

layer(NodeServices.layer)("What a command that is killed has left", (it) => {
  it.effect("is its listener and what it has not told, in files of nobody else", () =>
    Effect.gen(function*() {
      const path = yield* placeForState
      const before = yield* opened(path)
      assert.isTrue(Option.isNone(before.saved))
      yield* before.keep(listener_id, secret)
      for (const number of [1, 2, 3]) yield* before.journal.add(resultOf(number))
      for (const file of [path, `${path}.journal`]) assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      const after = yield* opened(path)
      const saved = Option.getOrThrow(after.saved)
      assert.deepStrictEqual([saved.listener_id, Redacted.value(saved.secret)], [listener_id, Redacted.value(secret)])
      assert.deepStrictEqual(after.unrecorded, [1, 2, 3].map(resultOf))
    }))

  it.effect("has none of what was told, and none of a line that was not written to its end", () =>
    Effect.gen(function*() {
      const path = yield* placeForState
      const before = yield* opened(path)
      yield* before.keep(listener_id, secret)
      yield* before.journal.add(resultOf(1))
      yield* before.journal.keep([])
      yield* before.journal.add(resultOf(2))
      appendFileSync(`${path}.journal`, "{\"delivery_id\":\"019d4860")
      const after = yield* opened(path)
      assert.deepStrictEqual(after.unrecorded, [resultOf(2)])
      yield* after.journal.add(resultOf(3))
      assert.deepStrictEqual((yield* opened(path)).unrecorded, [resultOf(2), resultOf(3)])
    }))

  it.effect("is of no use for another address, and gone once it was forgotten", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* placeForState
      const before = yield* opened(path)
      yield* before.keep(listener_id, secret)
      yield* before.journal.add(resultOf(1))
      const other = yield* opened(path, "http://127.0.0.1:9090/")
      assert.isTrue(Option.isNone(other.saved))
      assert.deepStrictEqual(other.unrecorded, [])
      yield* other.forget
      assert.isFalse(yield* fs.exists(path))
      assert.isFalse(yield* fs.exists(`${path}.journal`))
    }))

  it.effect("is the later command's, and then no more the earlier one's", () =>
    Effect.gen(function*() {
      const path = yield* placeForState
      const earlier = yield* opened(path)
      assert.isTrue(yield* earlier.isLatest)
      yield* earlier.keep(listener_id, secret)
      const later = yield* opened(path)
      assert.isTrue(yield* earlier.isLatest)
      yield* later.keep(listener_id, secret)
      assert.deepStrictEqual([yield* earlier.isLatest, yield* later.isLatest], [false, true])
      yield* later.forget
      assert.isTrue(yield* earlier.isLatest)
    }))

  it.effect("cannot be kept where a file stands in its path, and says so", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const file = yield* fs.makeTempFileScoped()
      for (const path of [`${file}/state.json`, `${file}/deep/state.json`]) {
        const failure = yield* Effect.flip(Effect.scoped(opened(path)))
        assert.strictEqual(
          failure.message,
          `Cannot write ${path}: a part of its path is no folder; name another file with --state`
        )
      }
    }))

  it.effect("cannot be kept where its file cannot be written any more, and says so", () =>
    Effect.gen(function*() {
      const path = yield* placeForState
      const { add } = yield* Effect.scoped(Effect.map(opened(path), ({ journal }) => journal))
      const failure = yield* Effect.flip(add(resultOf(1)))
      // The file is closed.
      assert.strictEqual(failure.message, `Cannot write ${path}: EBADF; name another file with --state`)
    }))
})
