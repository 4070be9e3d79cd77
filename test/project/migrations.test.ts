import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { readMigration } from "../../src/platform/sql/migrations/MigrationFile.ts"

// The rules of migrations/README.md: a version runs beside the one before it, and no large table is locked for long.

const root = resolve(import.meta.dirname, "../..")

/** The last migration of the last released version. */
const released = 74

const bare = (script: string) => script.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ").toLowerCase()

const statementsOf = (script: string) => bare(script).split(";").map((one) => one.trim()).filter((one) => one !== "")

const tableOf = (statement: string) =>
  /^(?:create (?:unique )?index (?:concurrently )?(?:if not exists )?\w+ on|alter table(?: only)?|update|delete from) (\w+)/
    .exec(statement)?.[1] ?? ""

/** The faults of a file, in words. */
const faults = (file: string, script: string): ReadonlyArray<string> => {
  const read = readMigration(file, script)
  if (typeof read === "string") return [read]
  const statements = statementsOf(script)
  const made = new Set([...bare(script).matchAll(/create table (?:if not exists )?(\w+)/g)].map(([, table]) => table))
  const contracts = read.beside > released && read.beside < read.id
  return statements.flatMap((statement) => {
    if (made.has(tableOf(statement))) return []
    const actions = statement.startsWith("alter table") ? statement.split(/,(?![^(]*\))/) : []
    return [
      !contracts && /\b(?:drop (?:column|table)|rename|(?:alter column \w+ |set data )type)\b/.test(statement)
        ? "drops, renames or changes what the version before uses"
        : "",
      actions.some((action) => /\badd column\b/.test(action) && /not null/.test(action) && !/default/.test(action))
        ? "adds a column that is not null without a default"
        : "",
      /^create (?:unique )?index (?!concurrently)/.test(statement) ? "makes an index of a table in use" : "",
      actions.some((action) =>
          /\badd (?:constraint \w+ )?(?:check|foreign key)\b/.test(action) && !/not valid/.test(action)
        )
        ? "adds a constraint that is checked at once"
        : "",
      !contracts && /\bset not null\b/.test(statement) ? "forbids null while the version before may write it" : "",
      /^(?:update|delete)\b/.test(statement) && read.running !== "batches" ? "changes rows, and not in batches" : ""
    ].filter((fault) => fault !== "")
  })
}

describe("a migration after the last release", () => {
  it("follows the rules of the README", () => {
    const files = globSync("migrations/*.sql", { cwd: root }).filter((file) => Number(file.slice(11, 15)) > released)
    const wrong = files.flatMap((file) =>
      faults(file.slice("migrations/".length), readFileSync(join(root, file), "utf8")).map((fault) =>
        `${file} ${fault}`
      )
    )
    assert.deepStrictEqual(wrong, [])
  })

  it.each([
    ["alter table clubs drop column name", "drops, renames or changes what the version before uses"],
    ["alter table clubs rename column name to title", "drops, renames or changes what the version before uses"],
    ["drop table clubs", "drops, renames or changes what the version before uses"],
    ["alter table clubs alter column name type varchar", "drops, renames or changes what the version before uses"],
    [
      "alter table clubs add column a int, add column b int not null",
      "adds a column that is not null without a default"
    ],
    ["create index clubs_name_idx on clubs (name)", "makes an index of a table in use"],
    ["alter table clubs add constraint a check (b > 0)", "adds a constraint that is checked at once"],
    ["alter table clubs alter column name set not null", "forbids null while the version before may write it"],
    ["update clubs set name = ''", "changes rows, and not in batches"]
  ])("may not: %s", (script, fault) => {
    assert.deepStrictEqual(faults("0999_a.sql", script), [fault])
  })

  it.each([
    "create table a (id int not null); create index a_idx on a (id); insert into a values (1)",
    "alter table clubs add column a int, add column b text not null default '' check (b in ('', 'x'))",
    "-- run: alone\ncreate index concurrently if not exists clubs_name_idx on clubs (name)",
    "-- run: batches\nupdate clubs set a = 1 where id in (select id from clubs where a is null limit 100) returning 1",
    "alter table clubs add constraint a check (b > 0) not valid",
    "alter table clubs validate constraint a",
    "-- beside: 0900\nalter table clubs drop column name"
  ])("may: %s", (script) => {
    assert.deepStrictEqual(faults("0999_a.sql", script), [])
  })
})
