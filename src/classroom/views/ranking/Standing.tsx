import { number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { Meter } from "../../../browser/parts/Meter.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { to } from "../../club/View.ts"
import { progressOf } from "./progress.ts"
import { words } from "./words.ts"

type Standing = Schemas["StudentStanding"]

const Way = ({ level, next_level, points }: Standing) => {
  if (next_level === null) return <p class="soft">{said(words).top}</p>
  const { done, whole } = progressOf(points, level, next_level)
  return (
    <Meter
      label={next_level.name}
      text={said(words).left(next_level.min_points - points)}
      used={done}
      whole={whole}
    />
  )
}

/** The student's level and points, and how far the next level is. */
export const OwnStanding = ({ standing }: { readonly standing: Standing }) => (
  <section class="card stack standing" aria-label={said(words).level}>
    <div class="standing-head">
      <span class="kind" aria-hidden="true">
        <Icon name="trophy" />
      </span>
      <div class="grow">
        <span class="soft small">{said(words).level}</span>
        <strong class="standing-level" dir="auto">{standing.level.name}</strong>
      </div>
      <strong class="standing-points">{said(words).points(standing.points)}</strong>
    </div>
    <Way {...standing} />
    {!standing.enabled && <p class="notice">{said(words).off}</p>}
    <p>
      <a href={to("ranking", "points")}>{said(words).statement}</a>
    </p>
  </section>
)

/** All levels, the lowest first, and which of them the student has reached. */
export const Ladder = ({ standing: { level, levels, points } }: { readonly standing: Standing }) => (
  <section class="card stack" aria-labelledby="ladder">
    <h2 id="ladder">{said(words).ladder}</h2>
    <ol class="plain-list ladder">
      {levels.map(({ id, min_points, name }) => {
        const isReached = min_points <= points || id === level.id
        return (
          <li
            key={id}
            class={isReached ? "ladder-step reached" : "ladder-step"}
            aria-current={id === level.id ? "step" : undefined}
          >
            <span class="ladder-mark">
              {isReached && <Icon name="check" />}
              {isReached && <span class="visually-hidden">{said(words).reached}</span>}
            </span>
            <span class="ladder-name" dir="auto">{name}</span>
            <span class="soft small number">{min_points === 0 ? number(0) : said(words).from(min_points)}</span>
          </li>
        )
      })}
    </ol>
  </section>
)
