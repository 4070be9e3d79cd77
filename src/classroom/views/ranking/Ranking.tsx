import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import { clubId, ofClub } from "../../club/View.ts"
import { Board } from "./Board.tsx"
import { Ladder, OwnStanding } from "./Standing.tsx"
import { words } from "./words.ts"

/** The student's points and level, and their place among the others. */
export default function Ranking() {
  const standing = useRead(`${clubId}/standing`, (signal) => turma.gamification.standing(ofClub, { signal }))
  return (
    <>
      <PageHead title={said(words).title} />
      <Shown read={standing}>
        {({ data }) => (
          <>
            <OwnStanding standing={data} />
            <div class="beside">
              <Board />
              <Ladder standing={data} />
            </div>
          </>
        )}
      </Shown>
    </>
  )
}
