# Stands in for the nixpkgs input when flake.nix is evaluated offline. It has only what the flake may use: any other name
# is an evaluation error. A package is a set with its name and the path that a string gets.
let
  package = name: { inherit name; outPath = "/nix/store/stub-${name}"; };
  packages = names: builtins.listToAttrs (map (name: { inherit name; value = package name; }) names);

  lib = {
    genAttrs = names: value: builtins.listToAttrs (map (name: { inherit name; value = value name; }) names);
    inherit (builtins) mapAttrs;
    filterAttrs = keep: set: removeAttrs set (builtins.filter (name: !(keep name set.${name})) (builtins.attrNames set));
    last = list: builtins.elemAt list (builtins.length list - 1);
    splitString = separator: text: builtins.filter builtins.isString (builtins.split separator text);
    strings.sanitizeDerivationName = builtins.replaceStrings [ "@" "/" ] [ "-" "-" ];
    fetchers.proxyImpureEnvVars = [ "https_proxy" ];
    mapAttrs' = map': set: builtins.listToAttrs (builtins.attrValues (builtins.mapAttrs map' set));
    mapAttrsToList = map': set: builtins.attrValues (builtins.mapAttrs map' set);
    nameValuePair = name: value: { inherit name value; };
    optionalAttrs = condition: set: if condition then set else { };
    inherit (builtins) concatStringsSep;
    escapeShellArgs = words:
      builtins.concatStringsSep " " (map (word: "'${builtins.replaceStrings [ "'" ] [ "'\\''" ] word}'") words);
    literalExpression = text: text;
    licenses.mit = "MIT";
    fileset = {
      unions = paths: map (path: assert builtins.pathExists path; toString path) paths;
      toSource = { root, fileset }: { root = toString root; files = fileset; };
    };
    mkEnableOption = description: { type = "bool"; inherit description; default = false; };
    mkOption = { type, description, default ? null, defaultText ? null, example ? null }: { inherit type description default; };
    mkIf = condition: value: if condition then value else { };
    types = {
      package = "package";
      str = "str";
      int = "int";
      oneOf = types: "one of ${builtins.concatStringsSep ", " types}";
      attrsOf = type: "attributes of ${type}";
    };
  };

  systems = [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" ];
in
{
  inherit lib;

  legacyPackages = lib.genAttrs systems (system:
    let
      pkgs = packages [ "nodejs_24" "postgresql_18" "redis" "openssl" "coreutils" "systemd" "makeWrapper" ] // {
        inherit lib;
        stdenv.hostPlatform = {
          inherit system;
          node = {
            platform = builtins.elemAt (builtins.split ".*-" system) 2;
            arch = if builtins.substring 0 6 system == "x86_64" then "x64" else "arm64";
          };
        };
        mkShell = shell: shell;
        writeShellScriptBin = name: text: package name // { inherit text; };
        importNpmLock = {
          # As nixpkgs' own: every direct dependency becomes the path of its source.
          __functor = _: { npmRoot, package, packageLock, packageSourceOverrides }:
            assert builtins.pathExists (npmRoot + "/package-lock.json");
            {
              inherit package;
              dependencies = builtins.mapAttrs (name: _: "${packageSourceOverrides."node_modules/${name}"}") package.dependencies;
              sources = builtins.mapAttrs (_: source: { inherit (source) name outputHash script; }) packageSourceOverrides;
              locked = builtins.attrNames packageLock.packages;
            };
          npmConfigHook = package "npm-config-hook";
        };
        runCommand = name: given: script: package name // given // { inherit script; };
        # As nixpkgs' own: what is passed through is an attribute of the result.
        buildNpmPackage = { pname, version, ... }@given: package "${pname}-${version}" // given // given.passthru;
        callPackage = path: overrides:
          let function = import path;
          in function (builtins.intersectAttrs (builtins.functionArgs function) pkgs // overrides);
      };
    in pkgs);
}
