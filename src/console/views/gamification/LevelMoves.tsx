import { number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import type { LevelMove } from "./ladder.ts"
import { words } from "./words.ts"

const changeOf = (before: number, after: number) => {
  const change = after - before
  return change === 0 ? "—" : `${change > 0 ? "+" : "−"}${number(Math.abs(change))}`
}

const Row = ({ isProposed, move: { after, before, min_points, name } }: {
  readonly move: LevelMove
  readonly isProposed: boolean
}) => (
  <tr data-row>
    <th scope="row" class="whole">
      <span dir="auto">{name}</span>
    </th>
    <td class="number">{number(min_points)}</td>
    <td class="number">{before === undefined ? said(words).new : number(before)}</td>
    {isProposed && (
      <>
        <td class="number">{after === undefined ? said(words).gone : number(after)}</td>
        <td class="number">{changeOf(before ?? 0, after ?? 0)}</td>
      </>
    )}
  </tr>
)

/** Each level with its students, and what a change would make of that. */
export const LevelMoves = ({ isProposed, moves }: {
  readonly moves: ReadonlyArray<LevelMove>
  readonly isProposed: boolean
}) => (
  <div class="table">
    <table>
      <caption class="visually-hidden">{said(words).moves}</caption>
      <thead>
        <tr>
          <th scope="col">{said(words).level}</th>
          <th scope="col" class="number">{said(words).from}</th>
          <th scope="col" class="number">{isProposed ? said(words).before : said(words).students}</th>
          {isProposed && (
            <>
              <th scope="col" class="number">{said(words).after}</th>
              <th scope="col" class="number">{said(words).change}</th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {moves.map((move) => <Row key={move.key} move={move} isProposed={isProposed} />)}
      </tbody>
    </table>
  </div>
)
