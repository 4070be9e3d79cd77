import { said } from "../../../browser/client/Language.ts"
import { Tabs } from "../../../browser/parts/Tabs.tsx"
import { clubPage } from "../../club/View.ts"
import { words } from "./words.ts"

/** The pages of the assistant. */
export const AssistantTabs = ({ club }: { readonly club: { readonly organization_id: string } }) => (
  <Tabs
    label={said(words).label}
    tabs={[
      { label: said(words).questions, to: clubPage(club, "assistant") },
      { label: said(words).usage, to: clubPage(club, "assistant", "usage") },
      { label: said(words).settings, to: clubPage(club, "assistant", "settings") }
    ]}
  />
)
