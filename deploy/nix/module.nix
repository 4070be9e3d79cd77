# services.turma: the service as a unit of NixOS, as hardened as deploy/systemd/turma.service. `packageOf` says what is run on
# a system unless the configuration does.
packageOf:
{
  config,
  lib,
  pkgs,
  ...
}:
let
  inherit (lib) mkEnableOption mkIf mkOption types;
  cfg = config.services.turma;
  processes = toString (cfg.settings.PROCESSES or 1);

  variables = {
    NODE_ENV = "production";
    MALLOC_ARENA_MAX = "1";
    DATA_DIR = "/var/lib/turma";
  }
  // lib.mapAttrs (_: toString) cfg.settings;
  variablesOfFiles =
    folder: lib.mapAttrs' (name: _: lib.nameValuePair "${name}_FILE" "${folder}/${name}") cfg.secretFiles;
  credentials = lib.mapAttrsToList (name: file: "${name}:${file}") cfg.secretFiles;

  # A command as the unit would run it, for root: with its variables and secrets, as its user.
  given =
    map (property: "--property=${property}") (
      [
        "DynamicUser=yes"
        "User=turma"
        "StateDirectory=turma turma-backups"
        "StateDirectoryMode=0700"
        "UMask=0077"
      ]
      ++ map (credential: "LoadCredential=${credential}") credentials
    )
    ++ lib.mapAttrsToList (name: value: "--setenv=${name}=${value}") variables;
  files = lib.mapAttrsToList (name: path: "--setenv=${name}=${path}") (variablesOfFiles "/run/credentials/$unit");
  command = pkgs.writeShellScriptBin "turma" ''
    unit=turma-command-$$.service
    exec ${pkgs.systemd}/bin/systemd-run --quiet --collect --wait --pipe --pty --service-type=exec --unit=$unit \
      ${lib.escapeShellArgs given} ${lib.concatStringsSep " " files} \
      ${cfg.package}/bin/turma "$@"
  '';
in
{
  options.services.turma = {
    enable = mkEnableOption "Turma, the API of a learning-community platform";

    package = mkOption {
      type = types.package;
      default = packageOf pkgs.stdenv.hostPlatform.system;
      defaultText = lib.literalExpression "turma.packages.\${system}.default";
      description = "What is run.";
    };

    nodejs = mkOption {
      type = types.package;
      default = pkgs.nodejs_24;
      defaultText = lib.literalExpression "pkgs.nodejs_24";
      description = "The Node that runs it, 24.16 or newer.";
    };

    settings = mkOption {
      type = types.attrsOf (types.oneOf [ types.str types.int ]);
      default = { };
      example = {
        PUBLIC_URL = "https://turma.example";
        MAIL_FROM = "Turma <no-reply@turma.example>";
        PROCESSES = 4;
      };
      description = "Variables of the service. They end up in the store, which everybody may read: no secrets.";
    };

    secretFiles = mkOption {
      type = types.attrsOf types.str;
      default = { };
      example = {
        DATABASE_URL = "/run/keys/turma-database-url";
        APP_SECRET_KEY = "/run/keys/turma-app-secret-key";
      };
      description = "For a variable the file that has its value. Only root has to be able to read it.";
    };
  };

  config = mkIf cfg.enable {
    assertions = [
      {
        assertion = cfg.secretFiles ? DATABASE_URL && cfg.secretFiles ? APP_SECRET_KEY;
        message = "services.turma.secretFiles needs DATABASE_URL and APP_SECRET_KEY: the PostgreSQL that npm brings does not start on NixOS.";
      }
    ];

    environment.systemPackages = [ command ];

    systemd.services.turma = {
      description = "Turma";
      wantedBy = [ "multi-user.target" ];
      wants = [ "network-online.target" ];
      after = [
        "network-online.target"
        "postgresql.service"
      ];
      startLimitIntervalSec = 0;
      environment = {
        XDG_CACHE_HOME = "/var/cache/turma";
      }
      // variables
      // variablesOfFiles "%d";

      serviceConfig = {
        Type = "exec";
        DynamicUser = true;
        ExecStart = "${cfg.nodejs}/bin/node ${lib.concatStringsSep " " cfg.package.startOptions} ${cfg.package}/lib/turma/src/cli/run.js";
        LoadCredential = credentials;
        StateDirectory = "turma turma-backups";
        StateDirectoryMode = "0700";
        CacheDirectory = "turma";
        CacheDirectoryMode = "0700";
        UMask = "0077";
        Restart = "on-failure";
        RestartSec = 2;
        KillMode = "mixed";
        TimeoutStopSec = 25;
        LimitNOFILE = 65536;

        AmbientCapabilities = "";
        CapabilityBoundingSet = "";
        DevicePolicy = "closed";
        LockPersonality = true;
        NoNewPrivileges = true;
        PrivateDevices = true;
        PrivateTmp = true;
        PrivateUsers = true;
        ProcSubset = "pid";
        ProtectClock = true;
        ProtectControlGroups = true;
        ProtectHome = true;
        ProtectHostname = true;
        ProtectKernelLogs = true;
        ProtectKernelModules = true;
        ProtectKernelTunables = true;
        ProtectProc = "invisible";
        ProtectSystem = "strict";
        RemoveIPC = true;
        RestrictAddressFamilies = [
          "AF_INET"
          "AF_INET6"
          "AF_UNIX"
          "AF_NETLINK"
        ];
        RestrictNamespaces = true;
        RestrictRealtime = true;
        RestrictSUIDSGID = true;
        SystemCallArchitectures = "native";
        SystemCallFilter = [
          "@system-service"
          "~@privileged @resources"
        ];
        SystemCallErrorNumber = "EPERM";
      }
      # A single process is ended by SIGHUP.
      // lib.optionalAttrs (processes != "1") { ExecReload = "${pkgs.coreutils}/bin/kill -HUP $MAINPID"; };
    };
  };
}
