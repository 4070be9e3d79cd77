import { isJson, type Json, listAt, readYaml, within } from "./Deployed.ts"

const folder = "deploy/kubernetes"

export const kustomization: unknown = readYaml(`${folder}/kustomization.yaml`)[0]

/** The objects of `kubectl apply -k`, before it sets their namespace and images. */
export const objects: ReadonlyArray<Json> = listAt(kustomization, "resources")
  .flatMap((file) => readYaml(`${folder}/${String(file)}`))
  .filter(isJson)

/** The job that migrates before a version with long migrations. */
export const migration: unknown = readYaml(`${folder}/migrate/job.yaml`)[0]

/** The Ingress that leads to the API over TLS. */
export const ingress: unknown = readYaml(`${folder}/tls/ingress.yaml`)[0]
export const overTls: unknown = readYaml(`${folder}/tls/kustomization.yaml`)[0]

export const monitor: unknown = readYaml(`${folder}/monitoring/podmonitor.yaml`)[0]
export const adapter: unknown = readYaml(`${folder}/monitoring/prometheus-adapter.yaml`)[0]

/** The objects of a kind, by their names. */
export const ofKind = (kind: string): ReadonlyMap<string, Json> =>
  new Map(objects.filter((one) => one["kind"] === kind).map((one) => [String(within(one, "metadata", "name")), one]))

/** The metric that scales the workers. */
export const scalingMetric = String(listAt(ofKind("HorizontalPodAutoscaler").get("turma-worker"), "spec", "metrics")
  .map((metric) => within(metric, "external", "metric", "name"))
  .find((name) => name !== undefined))
