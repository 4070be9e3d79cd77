import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { runCommand } from "../harness/CommandHost.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"

const nobody = "0b8f7a1e-6f5d-4c3b-8a29-1d0e9f8c7b6a"

const plan = (env: Record<string, string>, ...given: ReadonlyArray<string>) =>
  runCommand(["billing", "plan", ...given], env)

/** Asserts that the command refuses the call with exit code 2 and one line with the reason. */
const refused = Effect.fnUntraced(function*(
  why: RegExp,
  env: Record<string, string>,
  ...given: ReadonlyArray<string>
) {
  const { code, stderr, stdout } = yield* plan(env, ...given)
  assert.deepStrictEqual([code, stdout], [2, ""], stderr)
  assert.match(stderr.trimEnd(), why)
  assert.notInclude(stderr.trimEnd(), "\n")
})

it.live.each([{ BILLING_PROVIDER: "none" }, {
  BILLING_PROVIDER: "stripe",
  STRIPE_SECRET_KEY: "sk_test_x",
  STRIPE_WEBHOOK_SECRET: "whsec_x"
}])(
  "gives plans by hand only where our own ledger keeps them: not with $BILLING_PROVIDER",
  (env) => refused(/plans are given by hand only with BILLING_PROVIDER=local$/, env, nobody, "growth")
)

it.live("names a catalog that is wrong", () =>
  refused(
    /BILLING_CATALOG: expected .*the file cannot be read: there is no such file/,
    { BILLING_PROVIDER: "local", BILLING_CATALOG: "/nowhere/catalog.json" },
    nobody,
    "growth"
  ))

it.live("knows no plan of a club that there is not, nor of an id that is none", () =>
  Effect.gen(function*() {
    const DATABASE_URL = Redacted.value(yield* freshDatabaseUrl)
    const env = { BILLING_PROVIDER: "local", DATABASE_URL, APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64") }
    yield* refused(new RegExp(`there is no club ${nobody}$`), env, nobody, "growth")
    yield* refused(/there is no club me$/, env, "me", "growth")
  }).pipe(Effect.scoped))
