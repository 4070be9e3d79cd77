import type { ComponentChildren } from "preact"
import { said, spoken } from "../../browser/client/Language.ts"
import { place } from "../../browser/client/Location.ts"
import { Boundary } from "../../browser/parts/Boundary.tsx"
import { Choices } from "../../browser/parts/Choices.tsx"
import { me } from "../club/Session.ts"
import { PersonMenu } from "./PersonMenu.tsx"

const words = spoken(
  { clubs: "Your clubs", documentation: "Documentation" },
  { clubs: "Seus clubes", documentation: "Documentação" }
)

/** Surrounds the pages outside of clubs. */
export const OwnFrame = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="own">
    <header class="bar">
      <a class="brand" href="/console">Turma</a>
      <nav class="actions">
        {me.value !== undefined && <a href="/console">{said(words).clubs}</a>}
        <a href="/docs">{said(words).documentation}</a>
        <PersonMenu />
      </nav>
    </header>
    <main id="content" tabIndex={-1}>
      <Boundary at={place.value.path + place.value.search}>{children}</Boundary>
    </main>
    {me.value === undefined && (
      <footer class="foot">
        <Choices />
      </footer>
    )}
  </div>
)
