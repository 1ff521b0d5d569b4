/** The systemd unit of a node: what it may touch is its own folders, and nothing else. */
import { longestStopDelaySeconds } from '../../node/settings/schema.ts'

export interface UnitPlaces {
  executable: string
  /** The settings' file, which may hold passwords. Readable by root alone; systemd hands it to the service. */
  config: string
  /** Readable by root alone, too. */
  masterKey: string
}

/** The longest that a stop may take: its delay, and then what is under way, after which the node ends by itself. */
const stopSeconds = longestStopDelaySeconds + 15

export const serviceUser = 'ventanilla'
export const unitFile = '/etc/systemd/system/ventanilla.service'
export const places: UnitPlaces = {
  executable: '/usr/local/bin/ventanilla',
  config: '/etc/ventanilla/ventanilla.json',
  masterKey: '/etc/ventanilla/master.key',
}
/** Made by systemd, mode 0700, and owned by the service's user. */
export const stateFolder = '/var/lib/ventanilla'

export function unitText({ executable, config, masterKey }: UnitPlaces): string {
  return `[Unit]
Description=Ventanilla, a node for cash pay-in and pay-out orders
After=network-online.target time-sync.target
Wants=network-online.target
StartLimitIntervalSec=300
StartLimitBurst=10

[Service]
Type=notify
# systemd-notify is a process of its own.
NotifyAccess=all
ExecStart=${executable} serve --config %d/ventanilla.json
User=${serviceUser}
Group=${serviceUser}
StateDirectory=ventanilla
StateDirectoryMode=0700
CacheDirectory=ventanilla
CacheDirectoryMode=0700
WorkingDirectory=${stateFolder}
LoadCredential=ventanilla.json:${config}
LoadCredential=master.key:${masterKey}
Environment=VENTANILLA_KEYS_FILE=%d/master.key
Restart=always
RestartSec=2
# Settings, database and key do not mend themselves: exit codes 2, 3 and 4 wait for a person.
RestartPreventExitStatus=2 3 4
WatchdogSec=60
TimeoutStartSec=300
TimeoutStopSec=${stopSeconds}
UMask=0077
LimitNOFILE=65536
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
CapabilityBoundingSet=
AmbientCapabilities=
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
# Not MemoryDenyWriteExecute: JavaScript is compiled while it runs.

[Install]
WantedBy=multi-user.target
`
}
