import type { ComponentChildren } from "preact"
import { said, spoken } from "../../browser/client/Language.ts"
import { place } from "../../browser/client/Location.ts"
import { Boundary } from "../../browser/parts/Boundary.tsx"
import { Choices } from "../../browser/parts/Choices.tsx"
import { me } from "../club/Session.ts"
import { leave } from "./leave.ts"

const words = spoken(
  { account: "Your account", clubs: "Your clubs", documentation: "Documentation", signOut: "Sign out" },
  { account: "Sua conta", clubs: "Seus clubes", documentation: "Documentação", signOut: "Sair" }
)

/** Surrounds the pages outside of clubs. */
export const OwnFrame = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="own">
    <header class="bar">
      <a class="brand" href="/console">Turma</a>
      <nav class="actions">
        {me.value !== undefined && (
          <>
            <a href="/console">{said(words).clubs}</a>
            <a href="/console/account">{said(words).account}</a>
          </>
        )}
        <a href="/docs">{said(words).documentation}</a>
        {me.value !== undefined && <button type="button" class="quiet" onClick={leave}>{said(words).signOut}</button>}
      </nav>
    </header>
    <main id="content" tabIndex={-1}>
      <Boundary at={place.value.path + place.value.search}>{children}</Boundary>
    </main>
    <footer class="foot">
      <Choices />
    </footer>
  </div>
)
