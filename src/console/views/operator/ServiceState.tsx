import { number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Meter } from "../../../browser/parts/Meter.tsx"
import type { Load, Overview } from "./overview.ts"
import { words } from "./words.ts"

const Reached = ({ is }: { readonly is: boolean }) =>
  is ? <Badge tone="good">{said(words).reached}</Badge> : <Badge tone="bad">{said(words).notReached}</Badge>

const LoadMeter = ({ label, load }: { readonly label: string; readonly load: Load }) => (
  <Meter label={label} text={said(words).load(number(load.used), number(load.of))} used={load.used} whole={load.of} />
)

/** The parts that the service needs: database, Redis, processes. */
export const ServiceState = ({ overview: { database, exclusive, processes, redis, shared } }: {
  readonly overview: Overview
}) => (
  <div class="tiles standing">
    <section class="card">
      <dl class="facts">
        <dt>{said(words).database}</dt>
        <dd>
          <Reached is={database} />
        </dd>
        <dt>{said(words).redis}</dt>
        <dd>{redis === null ? <span class="soft">{said(words).withoutRedis}</span> : <Reached is={redis} />}</dd>
        <dt>{said(words).processes}</dt>
        <dd>
          {processes === undefined && said(words).unknown}
          <ul class="plain-list">
            {(processes ?? []).map(({ answers, pid }) => (
              <li key={pid} class="row">
                <code>{pid}</code>
                <Badge tone={answers ? "good" : "bad"}>
                  {answers ? said(words).answers : said(words).processSilent}
                </Badge>
              </li>
            ))}
          </ul>
        </dd>
      </dl>
    </section>
    <section class="card stack" aria-labelledby="connections">
      <h2 id="connections">{said(words).connections}</h2>
      <LoadMeter label={said(words).shared} load={shared} />
      <LoadMeter label={said(words).exclusive} load={exclusive} />
    </section>
  </div>
)
