import { useEffect } from "preact/hooks"
import { said } from "../../browser/client/Language.ts"
import { site } from "../../browser/client/Site.ts"
import { Choices } from "../../browser/parts/Choices.tsx"
import { Dialog } from "../../browser/parts/Dialog.tsx"
import { face, Mark } from "../club/Face.tsx"
import { me } from "../club/Session.ts"
import { wantedPage } from "./wanted.ts"
import { Ways } from "./Ways.tsx"
import { words } from "./words.ts"

/** Whose classroom it is. */
export const Greeting = () => (
  <header class="greeting">
    <Mark />
    <h1 dir="auto">{site.name}</h1>
    {face.welcome !== undefined && <p class="soft" dir="auto">{face.welcome}</p>}
  </header>
)

/** The address of a page for accounts. It keeps where the student wanted to go, if the classroom has such a page. */
const accountPage = (page: string) => {
  const next = wantedPage()
  return `${site.root}/${page}${next === "" ? "" : `?${new URLSearchParams({ next })}`}`
}

/** The sign-in before any view. Afterwards the view of the address appears. */
export const Enter = () => {
  useEffect(() => {
    document.title = `${said(words).title} · ${site.name}`
  }, [said(words)])
  return (
    <main id="content" class={face.cover === undefined ? "door" : "door with-cover"}>
      {face.cover !== undefined && <img class="door-cover" src={face.cover} alt="" />}
      <div class="door-side">
        <div class="door-form stack">
          <Greeting />
          <Ways known={undefined} />
          <ul class="ways">
            <li>
              <a target="_self" href={accountPage("forgot")}>{said(words).forgot}</a>
            </li>
            <li>
              <a target="_self" href={accountPage("sign-up")}>{said(words).signUp}</a>
            </li>
          </ul>
        </div>
        <Choices />
      </div>
    </main>
  )
}

/** The same over a view whose session was ended elsewhere, which stays as it is below. */
export const EnterAgain = () => (
  <Dialog title={said(words).again} onClose={() => {}} stays>
    <p>{said(words).againText}</p>
    <Ways known={me.value?.email} />
  </Dialog>
)
