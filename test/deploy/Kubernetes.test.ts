import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect } from "effect"
import { join } from "node:path"
import { Api } from "../../src/Api.ts"
import { app } from "../../src/App.ts"
import { contractDocument } from "../../src/cli/bundle/contractDocument.ts"
import { shutdownGrace } from "../../src/platform/processes/ShutdownGrace.ts"
import { version } from "../../src/platform/version.ts"
import { guide } from "../guides/Guides.ts"
import { withFiles } from "../harness/Files.ts"
import { run } from "../harness/Programs.ts"
import { ensure } from "./Debian.ts"
import { isJson, type Json, jsonAt, listAt, parseYaml, project, read, readYaml, within } from "./Deployed.ts"
import {
  adapter,
  ingress,
  kustomization,
  migration,
  monitor,
  objects,
  ofKind,
  overTls,
  scalingMetric
} from "./Manifests.ts"

/** The module of each kind's type. */
const types: Record<string, string> = {
  ConfigMap: "kubernetes-models/v1/ConfigMap",
  Deployment: "kubernetes-models/apps/v1/Deployment",
  Ingress: "kubernetes-models/networking.k8s.io/v1/Ingress",
  Job: "kubernetes-models/batch/v1/Job",
  HorizontalPodAutoscaler: "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler",
  Namespace: "kubernetes-models/v1/Namespace",
  NetworkPolicy: "kubernetes-models/networking.k8s.io/v1/NetworkPolicy",
  PodDisruptionBudget: "kubernetes-models/policy/v1/PodDisruptionBudget",
  PodMonitor: "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor",
  Service: "kubernetes-models/v1/Service"
}

const moduleOf = (one: Json): string => types[String(one["kind"])] ?? `${String(one["kind"])}, which has no type here`

// TypeScript refuses a literal with an unknown field at any depth. Validators accept such fields.
const typed = (one: Json, place: number) => {
  const kind = String(one["kind"])
  return [
    `import type { I${kind} as T${place} } from "${moduleOf(one)}"`,
    `export const one${place}: T${place} = ${JSON.stringify(one)}`
  ].join("\n")
}

const compiler = join(project, "node_modules/typescript/bin/tsc")

const config = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: "ESNext",
    moduleResolution: "Bundler",
    paths: { "*": [join(project, "node_modules/*")] },
    types: []
  },
  files: ["objects.ts"]
}

/** The faults of objects by the types of Kubernetes' API. */
const faultsOf = (some: ReadonlyArray<Json>) =>
  withFiles({ "objects.ts": some.map(typed).join("\n"), "tsconfig.json": JSON.stringify(config) }, async (folder) => {
    const checked = run(process.execPath, [compiler, "--pretty", "false"], { cwd: folder })
    return (await checked.then(({ stdout }) => stdout, String)).split("\n").filter((line) => /error TS/.test(line))
  })

const podOf = (deployment: Json) => jsonAt(deployment, "spec", "template", "spec")
const containerOf = (deployment: Json) => jsonAt(podOf(deployment), "containers", 0)
const labelsOf = (deployment: Json) => jsonAt(deployment, "spec", "template", "metadata", "labels")

const deployments = ofKind("Deployment")
const variables = new Map(listAt(kustomization, "configMapGenerator", 0, "literals").map((one) => {
  const [name = "", value = ""] = String(one).split(/=(.*)/s)
  return [name, value]
}))

/** The objects that `kubectl apply -k` would apply. */
const rendered = async (folder: string) => {
  await ensure("kubernetes-client", "kubectl", "kustomize", "--help")
  const { stdout } = await run("kubectl", ["kustomize", folder], { cwd: project })
  return parseYaml(stdout).filter(isJson)
}

/** The settings that decide which addresses exist, as in these manifests. */
const served = ConfigProvider.layer(ConfigProvider.fromUnknown({
  PUBLIC_URL: variables.get("PUBLIC_URL"),
  SMTP_URL: "smtp://mail.example",
  STORAGE_URL: "s3://key:secret@bucket.example/turma"
}))

const nameOf = (one: Json) => [one["kind"], within(one, "metadata", "name")].join(" ")

const namespacesOf = (some: ReadonlyArray<Json>) =>
  new Set(some.filter((one) => one["kind"] !== "Namespace").map((one) => within(one, "metadata", "namespace")))

describe("the manifests for Kubernetes", () => {
  it("are what Kubernetes' API takes, to the last field", async () => {
    const all = [...objects, ...[ingress, monitor, migration].filter(isJson)]
    assert.isAbove(all.length, 10)
    // The check does find a wrong field.
    const [[, api = {}] = []] = [...deployments]
    const wrong = {
      ...api,
      spec: { ...jsonAt(api, "spec"), template: { spec: { containers: [], hostNetworks: true } } }
    }
    const faults = await faultsOf([...all, wrong])
    assert.lengthOf(faults, 1, faults.join("\n"))
    // Each object has two lines.
    assert.include(faults[0], `objects.ts(${2 * all.length + 2},`)
  })

  it("ask for paths that there are", () => {
    const known = Object.keys(jsonAt(contractDocument, "paths"))
    for (const deployment of deployments.values()) {
      const container = containerOf(deployment)
      const paths = ["startupProbe", "livenessProbe", "readinessProbe"].map((name) =>
        String(within(container, name, "httpGet", "path"))
      )
      assert.deepStrictEqual(paths, ["/v1/health", "/v1/health", "/v1/health/ready"])
      assert.includeMembers(known, paths)
      assert.strictEqual(within(container, "ports", 0, "containerPort"), 3000)
    }
  })

  it("run nobody as root, with a root that nobody writes to", () => {
    assert.deepStrictEqual([...deployments.keys()], ["turma-api", "turma-worker"])
    for (const deployment of deployments.values()) {
      assert.strictEqual(within(podOf(deployment), "securityContext", "runAsUser"), 10001)
      assert.strictEqual(within(podOf(deployment), "securityContext", "runAsNonRoot"), true)
      assert.strictEqual(within(podOf(deployment), "automountServiceAccountToken"), false)
      assert.deepStrictEqual(within(containerOf(deployment), "securityContext"), {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] }
      })
      const mounts = listAt(containerOf(deployment), "volumeMounts").map((one) => within(one, "mountPath"))
      assert.deepStrictEqual(mounts, ["/run/secrets/turma", "/data", "/tmp"])
    }
  })

  it("lead to the Service over TLS, for the host that the service says is its own", () => {
    const host = new URL(variables.get("PUBLIC_URL") ?? "").host
    const rule = listAt(ingress, "spec", "rules")[0]
    assert.strictEqual(within(rule, "host"), host)
    assert.deepStrictEqual(listAt(ingress, "spec", "tls", 0, "hosts"), [host])
    for (const path of listAt(rule, "http", "paths")) {
      const service = jsonAt(path, "backend", "service")
      const named = ofKind("Service").get(String(service["name"]))
      const ports = listAt(named, "spec", "ports").map((port) => within(port, "name"))
      assert.include(ports, within(service, "port", "name"))
    }
    assert.deepStrictEqual(listAt(overTls, "resources"), ["..", "ingress.yaml"])
  })

  it("lead to every address but those of operators", () => {
    const paths = listAt(ingress, "spec", "rules", 0, "http", "paths").filter(isJson)
    const leadsTo = (address: string) =>
      paths.some(({ path, pathType }) =>
        address === path || (pathType !== "Exact" && address.startsWith(`${String(path)}/`))
      )
    const addresses = Effect.runSync(Effect.provide(app.addresses(Api), served)).map(({ path }) => path)
    assert.isAbove(addresses.length, 200)
    assert.deepStrictEqual(addresses.filter((address) => !leadsTo(address)), [])
    assert.isTrue(leadsTo("/internal/billing/stripe"))
    for (const path of ["/internal", "/internal/metrics", "/internal/overview", "/internal/billing"]) {
      assert.isFalse(leadsTo(path), path)
    }
    // Every path leads to an address that exists.
    const asked = [...addresses, "/internal/billing/stripe"]
    const idle = paths.filter(({ path }) => !asked.some((one) => one === path || one.startsWith(`${String(path)}/`)))
    assert.deepStrictEqual(idle, [])
    const ofIngressNginx = paths.filter(({ path, pathType }) =>
      pathType !== "ImplementationSpecific" && !/^\/[\w/-]*$/.test(String(path))
    )
    assert.deepStrictEqual(ofIngressNginx, [])
  })

  it("make backups into a bucket of their own, which are sealed", () => {
    assert.isTrue(variables.has("BACKUP_URL_FILE"))
    assert.isTrue(variables.has("BACKUP_PASSPHRASE_FILE"))
  })

  it("give every process the time that it stops in", () => {
    for (const deployment of deployments.values()) {
      const sleep = Number(within(containerOf(deployment), "lifecycle", "preStop", "exec", "command", 1) ?? 0)
      const grace = Number(within(podOf(deployment), "terminationGracePeriodSeconds"))
      assert.isAtLeast(grace, 20 + sleep + 5)
      assert.isAbove(grace - sleep, Duration.toSeconds(shutdownGrace))
    }
  })

  it("select the pods that they mean", () => {
    const service = ofKind("Service").get("turma")
    const [api, worker] = ["turma-api", "turma-worker"].map((name) => labelsOf(deployments.get(name) ?? {}))
    assert.deepStrictEqual(within(service, "spec", "selector"), api)
    assert.notDeepEqual(api, worker)
    for (const [name, labels] of [["turma-api", api], ["turma-worker", worker]] as const) {
      assert.deepStrictEqual(within(deployments.get(name), "spec", "selector", "matchLabels"), labels)
      assert.deepStrictEqual(
        within(ofKind("PodDisruptionBudget").get(name), "spec", "selector", "matchLabels"),
        labels
      )
      assert.deepStrictEqual(
        within(ofKind("NetworkPolicy").get(name), "spec", "podSelector", "matchLabels"),
        labels
      )
      const scaled = jsonAt(ofKind("HorizontalPodAutoscaler").get(name), "spec", "scaleTargetRef")
      assert.deepStrictEqual(scaled, { apiVersion: "apps/v1", kind: "Deployment", name })
      assert.isAtLeast(Number(within(ofKind("HorizontalPodAutoscaler").get(name), "spec", "minReplicas")), 2)
    }
  })

  it("keep each secret as a file of the one that is mounted", () => {
    const files = [...variables].filter(([name]) => name.endsWith("_FILE"))
    assert.isAtLeast(files.length, 6)
    for (const [, path] of files) assert.match(path, /^\/run\/secrets\/turma\/[a-z-]+$/)
    assert.strictEqual(
      within(monitor, "spec", "podMetricsEndpoints", 0, "authorization", "credentials", "name"),
      "turma"
    )
    const key = String(within(monitor, "spec", "podMetricsEndpoints", 0, "authorization", "credentials", "key"))
    assert.strictEqual(variables.get("INTERNAL_SECRET_FILE"), `/run/secrets/turma/${key}`)
  })

  it("are read under the job that the alerts ask for", () => {
    const jobs = [...read("deploy/monitoring/alerts.yml").matchAll(/job="([^"]+)"/g)].map(([, job]) => job)
    assert.isAbove(jobs.length, 1)
    const [example] = listAt(readYaml("deploy/monitoring/prometheus.yml")[0], "scrape_configs")
    const label = String(within(monitor, "spec", "jobLabel"))
    const called = [...deployments.values()].map((deployment) => labelsOf(deployment)[label])
    assert.deepStrictEqual([...new Set([...jobs, ...called, within(example, "job_name")])], ["turma"])
  })

  it("migrate before a version by a Job with the rights of the others, as long as that takes", () => {
    const job = isJson(migration) ? migration : {}
    const [[, api = {}] = []] = [...deployments]
    assert.deepStrictEqual(containerOf(job)["command"], ["turma", "migrate"])
    for (const name of ["image", "securityContext", "volumeMounts"]) {
      assert.deepStrictEqual(containerOf(job)[name], containerOf(api)[name], name)
    }
    for (const name of ["securityContext", "volumes", "automountServiceAccountToken"]) {
      assert.deepStrictEqual(podOf(job)[name], podOf(api)[name], name)
    }
    assert.isUndefined(within(job, "spec", "activeDeadlineSeconds"))
    for (const given of listAt(containerOf(job), "env")) {
      assert.strictEqual(within(given, "value"), variables.get(String(within(given, "name"))))
    }
    // No Service sends requests to the job, and no budget counts it.
    assert.notInclude([...deployments.values()].map((one) => labelsOf(one)["app.kubernetes.io/component"]), "migrate")
    assert.strictEqual(labelsOf(job)["app.kubernetes.io/component"], "migrate")
  })

  it("come out of kubectl with one namespace, the image's version and the variables under a name of their own", async () => {
    const all = await rendered("deploy/kubernetes")
    const made = all.filter((one) => one["kind"] === "ConfigMap")
    const others = all.filter((one) => one["kind"] !== "ConfigMap")
    assert.deepStrictEqual(others.map(nameOf).toSorted(), objects.map(nameOf).toSorted())
    assert.deepStrictEqual([...namespacesOf(all)], ["turma"])
    const [name = "", ...more] = made.map((one) => String(within(one, "metadata", "name")))
    assert.deepStrictEqual(more, [])
    assert.match(name, /^turma-[a-z0-9]{10}$/)
    assert.deepStrictEqual(jsonAt(made[0], "data"), Object.fromEntries(variables))
    const shown = all.filter((one) => one["kind"] === "Deployment").map(containerOf)
    assert.lengthOf(shown, 2)
    for (const container of shown) {
      assert.strictEqual(container["image"], `turma:${version}`)
      assert.deepStrictEqual(container["envFrom"], [{ configMapRef: { name } }])
    }
  })

  it.each([["monitoring", "PodMonitor turma"], ["migrate", "Job turma-migrate"]])(
    "come out of kubectl by themselves: %s",
    async (folder, name) => {
      const all = await rendered(`deploy/kubernetes/${folder}`)
      assert.deepStrictEqual(all.map(nameOf), [name])
      assert.deepStrictEqual([...namespacesOf(all)], ["turma"])
      const images = all.flatMap((one) => containerOf(one)["image"] ?? [])
      assert.deepStrictEqual(images, folder === "migrate" ? [`turma:${version}`] : [])
    }
  )

  it("ask for another worker where the guide says so", () => {
    const [, said] = /more than\s+(\d+)\s+seconds adds one a minute/.exec(guide("deployment")) ?? []
    const scaler = ofKind("HorizontalPodAutoscaler").get("turma-worker")
    const external = listAt(scaler, "spec", "metrics").flatMap((one) => within(one, "external") ?? [])
    assert.deepStrictEqual(external, [
      { metric: { name: scalingMetric }, target: { type: "Value", value: said } }
    ])
    const policies = within(scaler, "spec", "behavior", "scaleUp", "policies")
    assert.deepStrictEqual(policies, [{ type: "Pods", value: 1, periodSeconds: 60 }])
  })

  it("scale the workers by what the adapter makes of what they measure", () => {
    const [rule] = listAt(adapter, "rules", "external")
    assert.strictEqual(within(rule, "name", "as"), scalingMetric)
    assert.match(String(within(rule, "seriesQuery")), new RegExp(`^${scalingMetric}\\{`))
    assert.strictEqual(within(monitor, "spec", "podMetricsEndpoints", 0, "path"), "/internal/metrics")
  })
})
