import type { ComponentChildren } from "preact"
import { said } from "../../../browser/client/Language.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Tabs } from "../../../browser/parts/Tabs.tsx"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { clubPage } from "../../club/View.ts"
import { words } from "./words.ts"

/** How the pages about the club begin. */
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
          { label: said(words).face, to: clubPage(club, "settings", "face") },
          { label: said(words).audit, to: clubPage(club, "settings", "audit") }
        ]}
      />
    )}
  </>
)
