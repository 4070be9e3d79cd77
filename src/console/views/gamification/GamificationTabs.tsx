import { said } from "../../../browser/client/Language.ts"
import { Tabs } from "../../../browser/parts/Tabs.tsx"
import { clubPage } from "../../club/View.ts"
import { words } from "./words.ts"

/** The pages of gamification. */
export const GamificationTabs = ({ club }: { readonly club: { readonly organization_id: string } }) => (
  <Tabs
    label={said(words).label}
    tabs={[
      { label: said(words).rules, to: clubPage(club, "gamification") },
      { label: said(words).levels, to: clubPage(club, "gamification", "levels") },
      { label: said(words).ranking, to: clubPage(club, "gamification", "ranking") }
    ]}
  />
)
