import { said } from "../../../browser/client/Language.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import { useStanding } from "../../club/standing.ts"
import { Board } from "./Board.tsx"
import { Ladder, OwnStanding } from "./Standing.tsx"
import { words } from "./words.ts"

/** The student's points and level, and their place among the others. */
export default function Ranking() {
  const own = useStanding()
  return (
    <>
      <PageHead title={said(words).title} />
      <Shown read={own}>
        {(standing) => (
          <>
            <OwnStanding standing={standing} />
            <div class="beside">
              <Board />
              <Ladder standing={standing} />
            </div>
          </>
        )}
      </Shown>
    </>
  )
}
