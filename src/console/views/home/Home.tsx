import { said, spoken } from "../../client/Language.ts"
import type { ClubViewProps } from "../../client/View.ts"
import { PageHead } from "../../parts/PageHead.tsx"

const words = spoken({ title: "Overview" }, { title: "Visão geral" })

/** Whether everything is all right in a club. */
export default function Home({ club }: ClubViewProps) {
  return <PageHead title={said(words).title}>{club.name}</PageHead>
}
