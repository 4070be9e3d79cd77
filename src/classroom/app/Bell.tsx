import { counted, number } from "../../browser/client/Format.ts"
import { useInterval } from "../../browser/client/Interval.ts"
import { said, spoken } from "../../browser/client/Language.ts"
import { Icon } from "../../browser/parts/Icon.tsx"
import { useNoticeSettings } from "../club/notices.ts"
import { to } from "../club/View.ts"
import { areaWords } from "./Areas.ts"

const words = spoken(
  { unread: (count: number) => `${number(count)} unread` },
  { unread: (count: number) => `${number(count)} ${counted(count, "não lido", "não lidos")}` }
)

/** The service counts no further. */
const mostCounted = 100

/** In milliseconds. */
const every = 60_000

/** The way to the notifications, with how many are unread. */
export const Bell = ({ isCurrent }: { readonly isCurrent: boolean }) => {
  const settings = useNoticeSettings()
  const unread = settings.data?.unread_count ?? 0
  useInterval(every, settings.reload)
  const name = said(areaWords).notifications
  return (
    <a
      href={to("notifications")}
      aria-label={unread === 0 ? name : `${name}, ${said(words).unread(unread)}`}
      aria-current={isCurrent ? "page" : undefined}
    >
      <Icon name="bell" />
      {unread > 0 && (
        <span class="count" aria-hidden="true">
          {unread < mostCounted ? number(unread) : `${number(mostCounted - 1)}+`}
        </span>
      )}
    </a>
  )
}
