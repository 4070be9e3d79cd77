import { Effect } from "effect"
import { existsSync } from "node:fs"
import { mkdtemp, writeFile } from "node:fs/promises"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { install, mayInstall } from "../harness/Packages.ts"
import { run } from "../harness/Programs.ts"
import { project } from "./Deployed.ts"

// Builds and runs the image with Debian's podman, without a registry of images. Stand-ins replace the base images. They
// consist of Debian's packages, and of the Node and npm that run the tests.

const answers = () =>
  Promise.all([run("podman", ["--version"], { cwd: project }), run("mmdebstrap", ["--version"], { cwd: project })])
    .then(() => true, () => false)

const findPodman = async () => {
  if (await answers()) return true
  if (mayInstall()) {
    const packages = ["podman", "buildah", "crun", "conmon", "catatonit", "uidmap", "fuse-overlayfs", "mmdebstrap"]
    await Effect.runPromise(Effect.ignore(install(...packages)))
  }
  return answers()
}

/** True if no image can be built here. Images need root on Debian. Root with CI=true never skips the tests. */
export const withoutPodman = process.getuid?.() !== 0 || (!(await findPodman()) && process.env["CI"] !== "true")

if (withoutPodman) {
  process.stderr
    .write("No image is built: that needs root and podman (Debian: apt-get install podman crun mmdebstrap)\n")
}

const sources = ["/etc/apt/sources.list", "/etc/apt/sources.list.d/debian.sources"]

// crun refuses version 2 of control groups beside version 1, and needs neither here.
const inOwnMounts = "umount /sys/fs/cgroup/unified 2> /dev/null; exec podman \"$@\""

/** The program and arguments of podman here, with a separate store of images. */
export interface Podman {
  readonly program: string
  readonly args: (...args: ReadonlyArray<string>) => ReadonlyArray<string>
  readonly env: Record<string, string>
  readonly run: (...args: ReadonlyArray<string>) => Promise<string>
}

/** A podman with its images, containers and volumes below one folder. */
export const makePodman = async (): Promise<Podman & { readonly folder: string }> => {
  const folder = await mkdtemp(join(tmpdir(), "turma-podman-"))
  const storage = join(folder, "storage.conf")
  const containers = join(folder, "containers.conf")
  await writeFile(
    storage,
    `[storage]\ndriver = "overlay"\ngraphroot = "${folder}/images"\nrunroot = "${folder}/running"\n`
  )
  await writeFile(
    containers,
    `[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\nvolume_path = "${folder}/volumes"\n` +
      `static_dir = "${folder}/static"\ntmp_dir = "${folder}/tmp"\n`
  )
  const env = { CONTAINERS_STORAGE_CONF: storage, CONTAINERS_CONF: containers }
  const args = (...args: ReadonlyArray<string>) => ["--mount", "sh", "-c", inOwnMounts, "podman", ...args]
  return {
    folder,
    program: "unshare",
    args,
    env,
    run: async (...given) => (await run("unshare", args(...given), { cwd: project, env })).stdout.trim()
  }
}

/** Limits below our own, because podman would otherwise raise them, which may need more rights. */
export const lowLimits: ReadonlyArray<string> = ["--ulimit=nofile=4096:4096", "--ulimit=nproc=4096:4096"]

/** The smallest Debian, without documentation, like its official image. */
const makeDebian = async ({ folder, run: podman }: Podman & { readonly folder: string }, tag: string) => {
  const archive = join(folder, "debian.tar")
  const excluded = ["doc", "man", "locale"].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
  const options = ["--quiet", "--variant=essential", "--mode=root", "--include=libstdc++6,passwd", ...excluded]
  const script = `cat ${sources.filter((file) => existsSync(file)).join(" ")} | mmdebstrap "$@"`
  await run("sh", ["-c", script, "sh", ...options, "bookworm", archive, "-"], { cwd: folder })
  await podman("import", "--quiet", archive, tag)
}

const npmFolder = async () => {
  const { stdout } = await run("npm", ["root", "--global"], { cwd: project })
  return join(stdout.trim(), "npm")
}

/** The image of Node: the Node of this process, and npm. */
const makeNode = async ({ folder, run: podman }: Podman & { readonly folder: string }, tag: string, debian: string) => {
  const authorities = process.env["NODE_EXTRA_CA_CERTS"]
  const file = join(folder, "Containerfile")
  await writeFile(
    file,
    [
      `FROM ${debian}`,
      "COPY --from=here node /usr/local/bin/node",
      "COPY --from=npm . /usr/local/lib/node_modules/npm",
      "RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm",
      ...authorities === undefined ? [] : [`ENV NODE_EXTRA_CA_CERTS=${authorities}`]
    ].join("\n")
  )
  const contexts = [`here=${join(process.execPath, "..")}`, `npm=${await npmFolder()}`]
  await podman(
    "build",
    "--isolation=chroot",
    "--quiet",
    `--file=${file}`,
    `--tag=${tag}`,
    ...contexts.map((context) => `--build-context=${context}`),
    folder
  )
}

/** This machine's configuration and cache of npm. They stay outside the image. */
const npmVolumes = () =>
  [
    [join(homedir(), ".npmrc"), "/root/.npmrc", "ro"],
    [join(homedir(), ".npm"), "/root/.npm", "rw"],
    [process.env["NODE_EXTRA_CA_CERTS"] ?? "", process.env["NODE_EXTRA_CA_CERTS"] ?? "", "ro"]
  ].flatMap(([from = "", to, mode]) => existsSync(from) ? [`--volume=${from}:${to}:${mode}`] : [])

/** Builds the image by its Dockerfile, from the stand-ins under the names of its base images. */
export const buildImage = async (podman: Podman & { readonly folder: string }, tag: string, images: {
  readonly node: string
  readonly debian: string
}): Promise<void> => {
  await makeDebian(podman, images.debian)
  await makeNode(podman, images.node, images.debian)
  await podman.run(
    "build",
    "--isolation=chroot",
    "--pull=never",
    "--network=host",
    "--format=docker",
    "--layers=false",
    "--file=deploy/container/Dockerfile",
    "--ignorefile=deploy/container/Dockerfile.dockerignore",
    ...npmVolumes(),
    `--tag=${tag}`,
    project
  )
}
