import { type Addressed, steadyAddress } from "../client/SteadyAddress.ts"
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

/** The cover of a course: its image, or a pattern drawn from its title. It says nothing that the title does not. */
export const Cover = ({ image, name, title }: {
  /** The id of the media record. Without a cover, anything. */
  readonly name: string
  readonly title: string
  readonly image: Addressed | null
}) =>
  image === null
    ? <Drawn {...patternOf(title)} />
    : <img class="cover" src={steadyAddress(name, image)} alt="" decoding="async" />
