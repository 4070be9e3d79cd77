// The scroll positions of pages, for readers who go back. A browser looks for the position before the page has its
// data.

import { readTabStored, writeTabStored } from "./BrowserStorage.ts"

interface Mark {
  /** Which entry of the history it is. */
  readonly entry: string
}

const markIn = (state: unknown): Mark | undefined =>
  typeof state === "object" && state !== null && "entry" in state && typeof state.entry === "string"
    ? { entry: state.entry }
    : undefined

/** The key of this tab's scroll position at the end of a page: another site, or a reload. */
const kept = "turma-place"

const keptTop = (entry: string): number | undefined => {
  const [top = "", ...rest] = (readTabStored(kept) ?? "").split(" ")
  return rest.join(" ") === entry ? Number(top) : undefined
}

let made = 0

/** The mark of a new entry of the history. */
export const newMark = (): Mark => ({ entry: `${performance.timeOrigin} ${++made}` })

/** How far down somebody was, by the entries of the history. */
const tops = new Map<string, number>()

let current = markIn(history.state) ?? newMark()

/** The mark of the current entry of the history. */
export const markNow = (): Mark => current

/** How far down it goes, as soon as there is so much; undefined once that is reached. */
let wanted = keptTop(current.entry)

/** For how many frames a page that is too short for that may stay as it is: about a second. */
const mostFrames = 60

/** For how many frames a place is looked for at all, though the page is still being read: about ten seconds. */
const mostTries = 600

let height = 0
let frames = 0
let tries = 0

/** True if the page has its final height, as far as the script can know. Rows that are still unread may become higher. */
const isSettled = (top: number) => {
  const { scrollHeight } = document.documentElement
  frames = scrollHeight === height ? frames + 1 : 0
  height = scrollHeight
  if (document.querySelector(".loading") !== null) return false
  return scrollHeight - innerHeight >= top || (frames > mostFrames && document.querySelector("tr.unread") === null)
}

const approach = () => {
  if (wanted === undefined) return
  scrollTo(0, wanted)
  if (isSettled(wanted) || ++tries >= mostTries) wanted = undefined
  else requestAnimationFrame(approach)
}

/** Goes so far down once the page is there. */
const goDown = (top: number | undefined) => {
  wanted = top === 0 ? undefined : top
  frames = 0
  tries = 0
  if (wanted === undefined) scrollTo(0, 0)
  else requestAnimationFrame(approach)
}

const note = () => {
  if (wanted === undefined) tops.set(current.entry, scrollY)
}

/** Somebody goes to a new entry of the history. */
export const leaveFor = (mark: Mark): void => {
  note()
  wanted = undefined
  current = mark
}

/** Somebody has gone back or forward. */
export const comeBack = (state: unknown): void => {
  note()
  current = markIn(state) ?? newMark()
  history.replaceState(current, "")
  goDown(tops.get(current.entry) ?? 0)
}

/** A reader who scrolls is where they want to be. */
const letBe = () => {
  wanted = undefined
}

history.scrollRestoration = "manual"
history.replaceState(current, "")
if (wanted !== undefined) goDown(wanted)
addEventListener("scroll", note, { passive: true })
for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"]) addEventListener(kind, letBe, { passive: true })
addEventListener("pagehide", () => writeTabStored(kept, `${scrollY} ${current.entry}`))
