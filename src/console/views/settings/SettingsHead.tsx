import type { ComponentChildren } from "preact"
import { said } from "../../client/Language.ts"
import { may } from "../../client/Rights.ts"
import type { Membership } from "../../client/Session.ts"
import { clubPage } from "../../client/View.ts"
import { PageHead } from "../../parts/PageHead.tsx"
import { Tabs } from "../../parts/Tabs.tsx"
import { words } from "./words.ts"

/** How both pages about the club begin. */
export const SettingsHead = (
  { children, club, title }: {
    readonly club: Membership
    readonly title: string
    readonly children?: ComponentChildren
  }
) => (
  <>
    <PageHead title={title}>{children}</PageHead>
    {may(club.role, "administer") && (
      <Tabs
        label={said(words).tabs}
        tabs={[
          { label: said(words).club, to: clubPage(club, "settings") },
          { label: said(words).audit, to: clubPage(club, "settings", "audit") }
        ]}
      />
    )}
  </>
)
