import { NodeServices } from "@effect/platform-node"
import { PgConnection } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { startOwnPostgres } from "../harness/OwnPostgres.ts"
import { runTurma } from "../harness/Turma.ts"
import { blocks, guide, marked } from "./Guides.ts"

const text = guide("database")
const APP_SECRET_KEY = Buffer.alloc(32, 7).toString("base64")
const migrate = (DATABASE_URL: string) =>
  runTurma({ args: ["src/cli/main.ts", "migrate"], env: { DATABASE_URL, APP_SECRET_KEY } })

layer(Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto), { excludeTestServices: true })(
  "The guide to the database",
  (it) => {
    it.effect("makes a database that Turma migrates, with a role that owns nothing else", () =>
      Effect.gen(function*() {
        const server = yield* startOwnPostgres
        // The tests' server may already have a role and a database with that name.
        const statements = blocks(marked(text, "own"), "sql").join("").replaceAll(/\bturma\b/g, "turma_own")
        const own = new URL(Redacted.value(server.url))
        yield* Effect.scoped(Effect.gen(function*() {
          const admin = yield* PgConnection.make({ url: server.url })
          for (const statement of statements.split(";\n").filter((one) => one.trim() !== "")) {
            yield* admin.query(statement)
          }
        }))
        own.username = "turma_own"
        own.password = "secret"
        own.pathname = "/turma_own"
        const migrated = yield* migrate(own.href)
        assert.strictEqual(migrated.code, 0, migrated.stderr)
        const { rows } = yield* Effect.scoped(Effect.flatMap(
          PgConnection.make({ url: Redacted.make(own.href) }),
          (connection) =>
            connection.query("select rolsuper or rolcreatedb or rolcreaterole or rolreplication as may_more, " +
              "to_regclass('clubs') is not null as migrated from pg_roles where rolname = current_user")
        ))
        assert.deepStrictEqual(rows, [{ may_more: false, migrated: true }])
      }))

    it.effect("says rightly that several hosts in one URL are refused by the name of the variable", () =>
      Effect.gen(function*() {
        const [url = ""] = /postgres:\/\/a:5432,b:5432\/turma/.exec(text) ?? []
        assert.notStrictEqual(url, "")
        const { code, stderr, stdout } = yield* migrate(url)
        assert.strictEqual(code, 2)
        assert.match(stdout + stderr, /DATABASE_URL/)
      }))
  }
)
