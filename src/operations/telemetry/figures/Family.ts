/** One value, of those that the labels tell apart. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric that is read when somebody asks, and not counted on the way. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: "counter" | "gauge"
  readonly samples: ReadonlyArray<Sample>
}

const escaped = (value: string) => value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")

const lineOf = (name: string, { labels = {}, value }: Sample) => {
  const pairs = Object.entries(labels).map(([label, of]) => `${label}="${escaped(of)}"`)
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join()}}`} ${value}`
}

/** A gauge. */
export const gauge = (name: string, help: string, samples: ReadonlyArray<Sample>): Family => ({
  name,
  help,
  type: "gauge",
  samples
})

/** A counter: of several processes its values are added up. */
export const counter = (name: string, help: string, samples: ReadonlyArray<Sample>): Family => ({
  name,
  help,
  type: "counter",
  samples
})

/** In Prometheus' text. */
export const textOf = (families: ReadonlyArray<Family>): string =>
  families
    .flatMap(({ help, name, samples, type }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map((sample) => lineOf(name, sample))
    ])
    .map((line) => `${line}\n`)
    .join("")
