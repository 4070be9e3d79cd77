import { signal, useSignal } from "@preact/signals"
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks"
import { said, spoken } from "../../browser/client/Language.ts"
import { go, place } from "../../browser/client/Location.ts"
import { Dialog } from "../../browser/parts/Dialog.tsx"
import { may } from "../club/Rights.ts"
import { me } from "../club/Session.ts"
import { clubPage, type Command, viewCommands } from "../club/View.ts"
import { areas, areaWords } from "./Areas.ts"
import { useFinding } from "./Finding.ts"
import { type Keystroke, paletteKeys, stepOf } from "./Keystrokes.ts"
import { leave } from "./leave.ts"
import { keysOf, matching } from "./Matching.ts"

const words = spoken(
  {
    account: "Your account",
    clubs: "Your clubs",
    find: "Find a command, a page, a student or an event",
    found: "Found a club",
    help: "Keys",
    helpText: "When you are not typing:",
    looking: "Looking for students…",
    none: "Nothing has that name",
    palette: "Find commands and pages",
    shown: "Show these keys",
    signOut: "Sign out",
    title: "Commands"
  },
  {
    account: "Sua conta",
    clubs: "Seus clubes",
    find: "Procure um comando, uma página, um aluno ou um evento",
    found: "Criar um clube",
    help: "Atalhos do teclado",
    helpText: "Quando você não está digitando:",
    looking: "Procurando alunos…",
    none: "Nada encontrado com esse nome",
    palette: "Procurar comandos e páginas",
    shown: "Mostrar estes atalhos",
    signOut: "Sair",
    title: "Comandos"
  }
)

/** True if the command palette is open. */
export const isPaletteOpen = signal(false)

const isHelpOpen = signal(false)

const openPalette = () => {
  isPaletteOpen.value = true
}

const openHelp = () => {
  isHelpOpen.value = true
}

const clubNow = () =>
  me.value?.organizations.find(({ organization_id }) => organization_id === place.value.path.split("/")[2])

/** Every command of the current page. */
const commandsNow = (): ReadonlyArray<Command> => {
  const club = clubNow()
  const toAreas = club === undefined ?
    [] :
    areas.filter(({ right }) => may(club.role, right)).map(({ area, key, path }) => ({
      label: said(areaWords)[area],
      keys: `g ${key}`,
      run: () => go(path === "" ? clubPage(club) : clubPage(club, path))
    }))
  return [
    ...viewCommands.value.flat(),
    ...toAreas,
    ...(me.value?.organizations ?? []).filter((one) => one !== club).map((one) => ({
      label: one.name,
      run: () => go(clubPage(one))
    })),
    { label: said(words).clubs, run: () => go("/console?all") },
    { label: said(words).found, run: () => go("/console/new") },
    { label: said(words).account, keys: "g y", run: () => go("/console/account") },
    { label: said(words).signOut, run: leave }
  ]
}

const Finder = () => {
  const text = useSignal("")
  const chosen = useSignal<string | undefined>(undefined)
  const id = useId()
  const finding = useFinding(clubNow(), text.value)
  const found = [...matching(commandsNow(), text.value), ...finding.found]
  const keys = keysOf(found)
  const at = chosen.value === undefined ? 0 : Math.max(0, keys.indexOf(chosen.value))
  const list = useRef<HTMLUListElement>(null)
  // The chosen entry stays chosen when more finds arrive.
  useLayoutEffect(() => {
    if (chosen.peek() === undefined) chosen.value = keys[at]
  })
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: "nearest" }), [at, text.value])
  const close = () => {
    isPaletteOpen.value = false
  }
  const run = (command: Command | undefined) => {
    if (command === undefined) return
    close()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      chosen.value = keys[(at + step + found.length) % Math.max(1, found.length)]
    } else if (event.key === "Enter") {
      event.preventDefault()
      run(found[at])
    }
  }
  return (
    <Dialog title={said(words).title} onClose={close}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${at}`}
        aria-label={said(words).find}
        placeholder={said(words).find}
        autocomplete="off"
        autoFocus
        value={text.value}
        onInput={({ currentTarget: { value } }) => {
          text.value = value
          chosen.value = undefined
        }}
        onKeyDown={onKeyDown}
      />
      <ul class="commands" role="listbox" ref={list} id={id} aria-label={said(words).title}>
        {found.map((command, index) => (
          <li
            key={keys[index]}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(command)}
          >
            <span dir="auto">{command.label}</span>
            {command.keys !== undefined && <kbd>{command.keys}</kbd>}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p role="status">{finding.isLooking ? said(words).looking : said(words).none}</p>}
    </Dialog>
  )
}

const Help = () => (
  <Dialog title={said(words).help} onClose={() => (isHelpOpen.value = false)}>
    <p>{said(words).helpText}</p>
    <dl class="keys">
      <div>
        <dt>
          <kbd>{paletteKeys(navigator.platform)}</kbd>
        </dt>
        <dd>{said(words).palette}</dd>
      </div>
      <div>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>{said(words).shown}</dd>
      </div>
      {commandsNow().filter(({ keys }) => keys !== undefined).map(({ keys, label }) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{label}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** The command palette, and the list of keys. */
export const Palette = () => {
  useLayoutEffect(() => {
    let before: Keystroke | undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault()
        openPalette()
        return
      }
      const isElsewhere = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented ||
        isWriting(event.target)
      if (isElsewhere || document.querySelector("dialog[open]") !== null) return
      if (event.key === "?") {
        openHelp()
        return
      }
      const step = stepOf(commandsNow(), before, { key: event.key, at: event.timeStamp })
      before = step.before
      if (step.command === undefined) return
      event.preventDefault()
      step.command.run()
    }
    document.addEventListener("keydown", onKeyDown)
    return () => document.removeEventListener("keydown", onKeyDown)
  }, [])
  return (
    <>
      {isPaletteOpen.value && <Finder />}
      {isHelpOpen.value && <Help />}
    </>
  )
}
