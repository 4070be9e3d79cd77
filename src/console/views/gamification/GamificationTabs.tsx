import { said } from "../../client/Language.ts"
import { clubPage } from "../../client/View.ts"
import { Tabs } from "../../parts/Tabs.tsx"
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
