import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Statement } from "effect/sql"
import { knowingTexts } from "../../../src/platform/sql/KnownTexts.ts"

/** Keeps the texts of a compiler that records its work. */
const noting = (places?: number) => {
  const compiler = PgClient.makeCompiler()
  const compiled: Array<string> = []
  const noted: Statement.Compiler = {
    dialect: compiler.dialect,
    withoutTransform: compiler.withoutTransform,
    compile: (statement, withoutTransform) => {
      const [text, parameters] = compiler.compile(statement, withoutTransform)
      compiled.push(text)
      return [text, parameters]
    }
  }
  // The cache keeps makers of statements by the source of their connections.
  const connections = Effect.suspend(() => Effect.never)
  const sql = Statement.make(connections, knowingTexts(noted, places), [], undefined)
  return { compiled, sql }
}

describe("The text of a statement", () => {
  it("is made once, while each has its own parameters", () => {
    const { compiled, sql } = noting()
    const lesson = (club: string, id: string) => sql`select from lessons where ${sql`club_id = ${club}`} and id = ${id}`
    const text = "select from lessons where club_id = $1 and id = $2"
    assert.deepStrictEqual(lesson("one", "first").compile(), [text, ["one", "first"]])
    assert.deepStrictEqual(lesson("other", "second").compile(), [text, ["other", "second"]])
    assert.deepStrictEqual(compiled, [text])
  })

  it("is another one as soon as a literal is, or one more is a parameter", () => {
    const { sql } = noting()
    const within = (days: number | undefined) => sql`select ${days === undefined ? sql`now` : days} from days`
    const texts = [within(7), within(undefined), sql`select ${7} from days limit 1`, sql`select ${7}`, within(30)]
    assert.deepStrictEqual(texts.map((statement) => statement.compile()), [
      ["select $1 from days", [7]],
      ["select now from days", []],
      ["select $1 from days limit 1", [7]],
      ["select $1", [7]],
      ["select $1 from days", [30]]
    ])
  })

  it("is made anew where it is not made of literals and parameters, or is one literal", () => {
    const { compiled, sql } = noting()
    const statement = (table: string, ids: ReadonlyArray<number>) =>
      sql`select from ${sql(table)} where ${sql.in("id", ids)}`
    assert.deepStrictEqual(statement("lessons", [1]).compile(), [`select from "lessons" where "id" IN ($1)`, [1]])
    assert.deepStrictEqual(statement("courses", [1, 2]).compile(), [
      `select from "courses" where "id" IN ($1,$2)`,
      [1, 2]
    ])
    assert.deepStrictEqual(sql`insert into levels ${sql.insert({ id: 1, name: "One" })}`.compile(), [
      `insert into levels ("id","name") VALUES ($1,$2)`,
      [1, "One"]
    ])
    assert.deepStrictEqual(sql.unsafe("select $1", [1]).compile(), ["select $1", [1]])
    assert.deepStrictEqual(sql.unsafe("select $1", [2]).compile(), ["select $1", [2]])
    assert.deepStrictEqual(sql.unsafe("vacuum").compile(), ["vacuum", []])
    assert.deepStrictEqual(sql.unsafe("vacuum").compile(), ["vacuum", []])
    assert.lengthOf(compiled, 7)
  })

  it("is forgotten with all others when there are too many", () => {
    const { compiled, sql } = noting(3)
    const literal = (n: number) => sql`select ${sql.literal(`${n}`)}`.compile()
    for (let n = 0; n < 100; n++) assert.deepStrictEqual(literal(n), [`select ${n}`, []])
    assert.lengthOf(compiled, 100)
    literal(0)
    assert.lengthOf(compiled, 101)
    literal(0)
    assert.lengthOf(compiled, 101)
  })
})
