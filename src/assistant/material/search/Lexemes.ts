import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { integers, texts } from "../../../platform/sql/Arrays.ts"

/**
 * A query for words of `queryWords`: rows of `n`, from 1 on, the word's `lexemes` in both languages, and a `query` for any
 * of them. Omits the stop words of either language.
 */
export const wordsWithLexemes = (
  sql: SqlClient.SqlClient,
  words: ReadonlyArray<ReadonlyArray<string>>
): Fragment => {
  const spelled = words.flatMap((spellings, index) => spellings.map((spelling) => ({ n: index + 1, spelling })))
  return sql`
    select n, array_agg(distinct lexeme) as lexemes,
      string_agg(distinct quote_literal(lexeme), ' | ')::tsquery as query
    from (
      select n, ts_lexize('portuguese_stem', spelling) as pt, ts_lexize('english_stem', spelling) as en
      from unnest(${integers(spelled.map(({ n }) => n))}, ${texts(spelled.map(({ spelling }) => spelling))})
        as asked (n, spelling)
    ) stemmed cross join lateral unnest(pt || en) as lexeme
    group by n
    having bool_and(cardinality(pt) > 0 and cardinality(en) > 0)`
}
