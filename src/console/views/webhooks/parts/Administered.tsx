import { said, spoken } from "../../../../browser/client/Language.ts"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Empty } from "../../../../browser/parts/States.tsx"
import { may } from "../../../club/Rights.ts"
import type { ClubView, ClubViewProps } from "../../../club/View.ts"

const words = spoken(
  {
    text:
      "Only owners and administrators manage webhooks, because webhooks carry the data of every student. Ask one of them.",
    title: "Your role does not allow you to see webhooks"
  },
  {
    text:
      "Só titulares e administradores cuidam dos webhooks, porque eles levam dados de todos os alunos. Peça a um deles.",
    title: "Seu papel não permite ver os webhooks"
  }
)

/**
 * A view for administrators of the club only. Others get a sentence about that, and the view reads nothing for them.
 */
export const administered = (View: ClubView): ClubView => (props: ClubViewProps) =>
  may(props.club.role, "administer")
    ? <View {...props} />
    : (
      <>
        <PageHead title="Webhooks" />
        <Empty title={said(words).title}>{said(words).text}</Empty>
      </>
    )
