# The service and the command `turma`. npm's lock file names every package with its sum, so no hash is kept here.
{
  lib,
  stdenv,
  buildNpmPackage,
  importNpmLock,
  makeWrapper,
  nodejs_24,
  runCommand,
}:
let
  root = ../..;
  manifest = builtins.fromJSON (builtins.readFile (root + "/package.json"));

  lock = builtins.fromJSON (builtins.readFile (root + "/package-lock.json"));
  run = lib.filterAttrs (_: module: !(module.dev or false)) lock.packages;

  isFor = field: here: module: !(module ? ${field}) || builtins.elem here module.${field};
  isOfHere =
    path: module:
    path != ""
    && isFor "os" stdenv.hostPlatform.node.platform module
    && isFor "cpu" stdenv.hostPlatform.node.arch module;

  # The lock file has no addresses, so npm is asked, which knows its registry; what it brings has to have the sum.
  fetch =
    path: module:
    let
      name = module.name or (lib.last (lib.splitString "node_modules/" path));
    in
    runCommand "${lib.strings.sanitizeDerivationName name}-${module.version}.tgz"
      {
        outputHash = module.integrity;
        outputHashMode = "flat";
        nativeBuildInputs = [ nodejs_24 ];
        impureEnvVars = lib.fetchers.proxyImpureEnvVars;
      }
      ''
        export HOME=$TMPDIR
        npm pack --ignore-scripts --silent ${name}@${module.version}
        mv *.tgz $out
      '';

  # What npm start passes to Node.
  options = [
    "--max-semi-space-size=8"
    "--heap-growing-percent=100"
    "--no-allocation-site-pretenuring"
    "--no-parallel-scavenge"
  ];
in
buildNpmPackage {
  pname = manifest.name;
  inherit (manifest) version;

  src = lib.fileset.toSource {
    inherit root;
    fileset = lib.fileset.unions (
      map (path: root + "/${path}") [
        "LICENSE"
        "migrations"
        "package-lock.json"
        "package.json"
        "packages"
        "src"
        "tsconfig.json"
      ]
    );
  };

  nodejs = nodejs_24;
  npmDeps = importNpmLock {
    npmRoot = root;
    package = removeAttrs manifest [ "devDependencies" ];
    packageLock = lock // {
      packages = run // {
        "" = removeAttrs run."" [ "devDependencies" ];
      };
    };
    packageSourceOverrides = lib.mapAttrs fetch (lib.filterAttrs isOfHere run);
  };
  npmConfigHook = importNpmLock.npmConfigHook;
  # A script of a package would download; what they would make, packages/install.ts makes.
  npmFlags = [
    "--omit=dev"
    "--ignore-scripts"
  ];
  npmRebuildFlags = [ "--ignore-scripts" ];
  nativeBuildInputs = [ makeWrapper ];
  dontNpmBuild = true;

  installPhase = ''
    runHook preInstall
    node packages/install.ts "$out/lib/turma"
    makeWrapper ${nodejs_24}/bin/node "$out/bin/turma" --set-default MALLOC_ARENA_MAX 1 \
      --add-flags "${lib.concatStringsSep " " options} $out/lib/turma/bundle/turma.js"
    runHook postInstall
  '';

  # PostgreSQL's programs stay as npm has them: they start wherever there is the usual loader, which NixOS has not.
  dontStrip = true;
  dontPatchELF = true;

  passthru.startOptions = options;

  meta = {
    description = "The API of a learning-community platform";
    license = lib.licenses.mit;
    mainProgram = "turma";
  };
}
