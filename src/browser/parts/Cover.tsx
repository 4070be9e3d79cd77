import type { Schemas } from "../../sdk/index.ts"
import { steadyAddress } from "../client/SteadyAddress.ts"
import { type Pattern, patternOf } from "./patterns.ts"

const Drawn = ({ marks, tilt, ways }: Pattern) => (
  <svg
    class="cover drawn"
    viewBox="0 0 160 90"
    preserveAspectRatio="xMidYMid slice"
    aria-hidden="true"
    focusable="false"
  >
    <rect class="ground" width="160" height="90" />
    <g transform={`rotate(${tilt} 80 45)`}>
      {ways.map((d) => <path key={d} class="way" d={d} />)}
      {marks.map(({ isStrong, r, x, y }) => (
        <circle key={`${x} ${y} ${r}`} class={isStrong ? "mark strong" : "mark"} cx={x} cy={y} r={r} />
      ))}
    </g>
  </svg>
)

type ShownMedia = Schemas["ShownMedia"]
type Image = Pick<ShownMedia, "url" | "expires_at"> & Partial<Pick<ShownMedia, "title" | "size_bytes">>

/** Names the file of a cover. A course does not name the media record, so what it says of the file stands for that. */
const fileOf = (name: string, { size_bytes, title }: Image) => `cover/${name}/${size_bytes}/${title}`

/** The cover of a course: its image, or a pattern drawn from its title. It says nothing that the title does not. */
export const Cover = ({ image, name, title }: {
  /** The course's public id, or the id of the media record where the page knows it. */
  readonly name: string
  readonly title: string
  readonly image: Image | null
}) =>
  image === null
    ? <Drawn {...patternOf(title)} />
    : <img class="cover" src={steadyAddress(fileOf(name, image), image)} alt="" decoding="async" />
