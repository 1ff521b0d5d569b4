<?php

declare(strict_types=1);

// For projects without Composer: loads the classes of Ventanilla\ from this folder.
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Ventanilla\\')) {
        $file = __DIR__ . '/' . str_replace('\\', '/', substr($class, strlen('Ventanilla\\'))) . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
