import { useLayoutEffect, useRef } from "preact/hooks"
import { said, spoken } from "../../browser/client/Language.ts"
import { place } from "../../browser/client/Location.ts"
import { site } from "../../browser/client/Site.ts"
import { Boundary } from "../../browser/parts/Boundary.tsx"
import { Icon } from "../../browser/parts/Icon.tsx"
import { Headed, PageHead } from "../../browser/parts/PageHead.tsx"
import { useLayer } from "../../browser/parts/useLayer.ts"
import { Mark } from "../club/Face.tsx"
import { to } from "../club/View.ts"
import { type AreaEntry, areas, areaWords } from "./Areas.ts"
import { Bell } from "./Bell.tsx"
import { PersonMenu } from "./PersonMenu.tsx"
import { viewAt } from "./Views.ts"

const words = spoken(
  {
    home: "Go to the start",
    more: "More",
    navigation: "Classroom",
    none: "There is no such page",
    noneText: "The address may be incomplete, or somebody removed the page."
  },
  {
    home: "Ir para o início",
    more: "Mais",
    navigation: "Sala de aula",
    none: "Esta página não existe",
    noneText: "O endereço pode estar incompleto, ou o que estava aqui saiu do ar."
  }
)

const Nowhere = () => (
  <>
    <PageHead title={said(words).none}>{said(words).noneText}</PageHead>
    <div class="actions">
      <a class="button" href={site.root}>{said(words).home}</a>
    </div>
  </>
)

/** The part of an address below the classroom's: `community` of `/classroom/<club>/community/posts/…`. */
const partOf = (path: string) => path.slice(site.root.length + 1).split("/")[0] ?? ""

const isIn = ({ also = [], path }: AreaEntry, part: string) => path === part || also.includes(part)

const addressOf = (path: string) => path === "" ? site.root : to(path)

const Entry = ({ entry, part }: { readonly entry: AreaEntry; readonly part: string }) => (
  <li>
    <a href={addressOf(entry.path)} aria-current={isIn(entry, part) ? "page" : undefined}>
      <Icon name={entry.icon} />
      <span>{said(areaWords)[entry.area]}</span>
    </a>
  </li>
)

/** The number of areas that a phone shows without a further touch. */
const shownOnPhones = 3

/** The areas. A desk shows all of them, and a phone opens those after the first above the others. */
const Navigation = ({ part }: { readonly part: string }) => {
  const { around, close, isOpen, opener, toggle } = useLayer<HTMLElement>()
  const { path } = place.value
  useLayoutEffect(close, [path])
  const further = areas.slice(shownOnPhones)
  const isFurther = further.some((entry) => isIn(entry, part))
  return (
    <nav class={isOpen ? "areas open" : "areas"} aria-label={said(words).navigation} ref={around}>
      <ul>
        {areas.slice(0, shownOnPhones).map((entry) => <Entry key={entry.area} entry={entry} part={part} />)}
        <li class="more">
          <button
            type="button"
            class={isFurther ? "link current" : "link"}
            aria-expanded={isOpen}
            ref={opener}
            onClick={toggle}
          >
            <Icon name={isOpen ? "close" : "menu"} />
            <span>{said(words).more}</span>
          </button>
        </li>
      </ul>
      <ul class="further" onClick={close}>
        {further.map((entry) => <Entry key={entry.area} entry={entry} part={part} />)}
      </ul>
    </nav>
  )
}

const Bar = ({ part }: { readonly part: string }) => (
  <header class="bar">
    <a class="brand" href={site.root}>
      <Mark />
      <span dir="auto">{site.name}</span>
    </a>
    <div class="tools">
      <a href={to("search")} aria-label={said(areaWords).search} aria-current={part === "search" ? "page" : undefined}>
        <Icon name="search" />
      </a>
      <Bell isCurrent={part === "notifications"} />
      <PersonMenu />
    </div>
  </header>
)

/** Around the views: the club's name above them, and the areas beside them, or below them on a phone. */
export const Frame = () => {
  const { path, search } = place.value
  const content = useRef<HTMLElement>(null)
  const first = useRef(true)
  const found = viewAt(path)
  const part = partOf(path)
  const area = areas.find((entry) => isIn(entry, part))
  // A link leads to the start of its page, for screen readers too. On the first page the browser decides.
  useLayoutEffect(() => {
    if (first.current) first.current = false
    else content.current?.focus({ preventScroll: true })
  }, [path])
  return (
    <div class="frame">
      <Bar part={part} />
      <Navigation part={part} />
      <main id="content" tabIndex={-1} ref={content}>
        <Boundary at={path + search}>
          {found === undefined
            ? <Nowhere />
            : (
              <Headed title={area === undefined ? site.name : said(areaWords)[area.area]}>
                <found.View key={path} params={found.params} />
              </Headed>
            )}
        </Boundary>
      </main>
    </div>
  )
}
