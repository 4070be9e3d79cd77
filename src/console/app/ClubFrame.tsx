import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { said, spoken } from "../../browser/client/Language.ts"
import { place } from "../../browser/client/Location.ts"
import { Boundary } from "../../browser/parts/Boundary.tsx"
import { Icon } from "../../browser/parts/Icon.tsx"
import { Headed, PageHead } from "../../browser/parts/PageHead.tsx"
import { useClubZone } from "../club/ClubZone.ts"
import { may } from "../club/Rights.ts"
import { roleName } from "../club/Roles.ts"
import { me, type Membership } from "../club/Session.ts"
import { clubPage } from "../club/View.ts"
import { type AreaEntry, areaGroups, areas, areaWords, groupWords } from "./Areas.ts"
import { paletteKeys } from "./Keystrokes.ts"
import { OwnFrame } from "./OwnFrame.tsx"
import { isPaletteOpen } from "./Palette.tsx"
import { PersonMenu } from "./PersonMenu.tsx"
import { viewAt } from "./Views.ts"

const words = spoken(
  {
    menu: "Menu",
    navigation: "Areas of the club",
    none: "There is no such page",
    noneText: "The address is wrong, or you do not belong to that club any more.",
    search: "Search or go to…",
    toClubs: "Your clubs"
  },
  {
    menu: "Menu",
    navigation: "Áreas do clube",
    none: "Esta página não existe",
    noneText: "O endereço está errado, ou você não faz mais parte desse clube.",
    search: "Buscar ou ir para…",
    toClubs: "Seus clubes"
  }
)

const Nowhere = () => (
  <>
    <PageHead title={said(words).none}>{said(words).noneText}</PageHead>
    <div class="actions">
      <a class="button" href="/console?all">{said(words).toClubs}</a>
    </div>
  </>
)

const isWithin = (path: string, page: string, isHome: boolean) =>
  isHome ? path === page : path === page || path.startsWith(`${page}/`)

/** The title of the area of an address. */
const areaTitle = (path: string) => {
  const [, , , part = ""] = path.split("/")
  const found = areas.find((entry) => entry.path === part)
  return found === undefined ? "Turma" : said(areaWords)[found.area]
}

const Entries = (
  { club, entries, path }: {
    readonly club: Membership
    readonly entries: ReadonlyArray<AreaEntry>
    readonly path: string
  }
) => (
  <ul>
    {entries.map(({ area, icon, path: below }) => {
      const to = below === "" ? clubPage(club) : clubPage(club, below)
      return (
        <li key={area}>
          <a href={to} aria-current={isWithin(path, to, below === "") ? "page" : undefined}>
            <Icon name={icon} />
            {said(areaWords)[area]}
          </a>
        </li>
      )
    })}
  </ul>
)

const Navigation = ({ club, path }: { readonly club: Membership; readonly path: string }) => (
  <nav class="areas" aria-label={said(words).navigation}>
    {areaGroups.map(({ entries, group }) => {
      const open = entries.filter(({ right }) =>
        may(club.role, right)
      )
      if (open.length === 0) return null
      return (
        <div key={group} class="area-group">
          {group !== undefined && <p class="soft">{said(groupWords)[group]}</p>}
          <Entries club={club} entries={open} path={path} />
        </div>
      )
    })}
  </nav>
)

const Side = ({ club, path }: { readonly club: Membership; readonly path: string }) => (
  <div class="side">
    <div class="side-head">
      <a class="club" href={clubPage(club)}>
        <span class="mark" aria-hidden="true">{[...club.name.trim()][0]?.toLocaleUpperCase()}</span>
        <span class="club-words">
          <strong dir="auto">{club.name}</strong>
          <span class="soft">{roleName(club.role)}</span>
        </span>
      </a>
      <PersonMenu />
    </div>
    <button type="button" class="quiet search" onClick={() => (isPaletteOpen.value = true)}>
      <Icon name="search" />
      <span>{said(words).search}</span>
      <kbd>{paletteKeys(navigator.platform)}</kbd>
    </button>
    <Navigation club={club} path={path} />
  </div>
)

/** Around the views of a club: its areas beside them, or behind a button on a phone. */
export const ClubFrame = () => {
  const { path, search } = place.value
  const isOpen = useSignal(false)
  const content = useRef<HTMLElement>(null)
  const found = viewAt(path)
  const club = me.value?.organizations.find(({ organization_id }) => organization_id === path.split("/")[2])
  useClubZone(club?.organization_id)
  const first = useRef(true)
  // A link leads to the start of its page, for screen readers too. On the first page the browser decides.
  useLayoutEffect(() => {
    isOpen.value = false
    if (first.current) first.current = false
    else content.current?.focus({ preventScroll: true })
  }, [path])
  if (club === undefined) {
    return (
      <OwnFrame>
        <Nowhere />
      </OwnFrame>
    )
  }
  return (
    <div class={isOpen.value ? "frame open" : "frame"}>
      <header class="phone-bar">
        <button
          type="button"
          class="quiet square"
          aria-label={said(words).menu}
          aria-expanded={isOpen.value}
          onClick={() => (isOpen.value = !isOpen.peek())}
        >
          <Icon name={isOpen.value ? "close" : "menu"} />
        </button>
        <strong dir="auto">{club.name}</strong>
        <button
          type="button"
          class="quiet square"
          aria-label={said(words).search}
          onClick={() => (isPaletteOpen.value = true)}
        >
          <Icon name="search" />
        </button>
        <PersonMenu />
      </header>
      <Side club={club} path={path} />
      <main id="content" tabIndex={-1} ref={content}>
        <Boundary at={path + search}>
          {found === undefined
            ? <Nowhere />
            : (
              <Headed title={areaTitle(path)}>
                <found.View key={path} club={club} params={found.params} />
              </Headed>
            )}
        </Boundary>
      </main>
    </div>
  )
}
